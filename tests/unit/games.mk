# tests/unit/games.mk
