# tests/unit/table.mk
