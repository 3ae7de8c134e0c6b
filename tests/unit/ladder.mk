# tests/unit/ladder.mk
