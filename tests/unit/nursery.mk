# tests/unit/nursery.mk
