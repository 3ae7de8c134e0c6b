include tests/unit/local.mk
include tests/hostile/local.mk
include tests/kits/local.mk
