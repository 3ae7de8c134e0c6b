# tests/unit/verify.mk
