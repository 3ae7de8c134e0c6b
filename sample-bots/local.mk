# The sample bots.  Strangers copy the kits out of here, so nothing in this
# folder includes anything of ours.  A language without its tools is left out,
# and what tests it says so.
#
# Tests seat the bot in C by the hundred, and a sanitizer takes longer to start
# than it to play; the tests of the kits have one with sanitizers.
if SANITIZERS
SEATED_CFLAGS = -std=gnu17 $(WARN_CFLAGS)
SEATED_LINK =
else
SEATED_CFLAGS = $(AM_CFLAGS)
SEATED_LINK = $(AM_LDFLAGS)
endif
noinst_PROGRAMS += %reldir%/c/random-bot
%canon_reldir%_c_random_bot_SOURCES = \
	%reldir%/c/random-bot.c \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h
%canon_reldir%_c_random_bot_CFLAGS = $(SEATED_CFLAGS)
%canon_reldir%_c_random_bot_LDFLAGS = $(SEATED_LINK)

# Where they are built to be tested, the quickest build will do.
if SANITIZERS
CXX_SPEED = -O0
RUST_SPEED = -C debuginfo=0
else
CXX_SPEED = -O2
RUST_SPEED = -O
endif

# The kit in C, as people link it with a bot in C++: without our flags.
if HAVE_CXX
noinst_DATA += %reldir%/cpp/random-bot
endif
BUILD_CXX = $(BOT_CXX) -std=c++17 $(CXX_SPEED) -Wall -Wextra -Wshadow \
	-Wconversion -I$(srcdir)/%reldir%/c
CXX_KIT = %reldir%/cpp/referee-bot.o
$(CXX_KIT): %reldir%/c/referee-bot.c %reldir%/c/referee-bot.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) -std=gnu17 $(CXX_SPEED) -c -o $@ \
		$(srcdir)/%reldir%/c/referee-bot.c
CXX_RANDOM = %reldir%/cpp/random_bot.o
$(CXX_RANDOM): %reldir%/cpp/random_bot.cpp %reldir%/cpp/referee_bot.hpp \
		%reldir%/c/referee-bot.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(BUILD_CXX) -c -o $@ \
		$(srcdir)/%reldir%/cpp/random_bot.cpp
%reldir%/cpp/random-bot: $(CXX_RANDOM) $(CXX_KIT)
	$(AM_V_GEN)$(BUILD_CXX) -o $@ $(CXX_RANDOM) $(CXX_KIT)

if HAVE_RUST
noinst_DATA += %reldir%/rust/random-bot
endif
# Not a part of make, whose jobs it would want a share of.
BUILD_RUST = env -u MAKEFLAGS -u MFLAGS $(RUSTC) --edition 2021 $(RUST_SPEED)
%reldir%/rust/random-bot: %reldir%/rust/random_bot.rs \
		%reldir%/rust/referee_bot.rs
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(BUILD_RUST) -o $@ $(srcdir)/%reldir%/rust/random_bot.rs

# Go keeps its cache in the build folder, and asks nobody for anything.
if HAVE_GO
noinst_DATA += %reldir%/go/random-bot
endif
BUILD_GO = GO111MODULE=off GOPROXY=off GOFLAGS= CGO_ENABLED=0 \
	GOPATH='$(abs_top_builddir)/.go' \
	GOCACHE='$(abs_top_builddir)/.go/cache' $(GO) build
%reldir%/go/random-bot: %reldir%/go/random_bot.go %reldir%/go/referee_bot.go
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(BUILD_GO) -o $@ \
		$(srcdir)/%reldir%/go/random_bot.go \
		$(srcdir)/%reldir%/go/referee_bot.go

# Its classes are many files: one stands for all.
if HAVE_JAVA
noinst_DATA += %reldir%/java/RandomBot.class
endif
COMPILE_CLASSES = $(JAVAC) --release 17 -proc:none -Xlint:all
%reldir%/java/RandomBot.class: %reldir%/java/RandomBot.java \
		%reldir%/java/RefereeBot.java
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(COMPILE_CLASSES) -d $(@D) \
		$(srcdir)/%reldir%/java/RandomBot.java \
		$(srcdir)/%reldir%/java/RefereeBot.java

CLEANFILES += \
	$(CXX_KIT) \
	$(CXX_RANDOM) \
	%reldir%/cpp/random-bot \
	%reldir%/go/random-bot \
	%reldir%/rust/random-bot
clean-local:
	rm -rf .go
	rm -f %reldir%/java/*.class
# This one thinks ahead with the engines themselves: see README.md.
noinst_LIBRARIES += %reldir%/strong/libthink.a
%canon_reldir%_strong_libthink_a_SOURCES = \
	%reldir%/strong/follow.c \
	%reldir%/strong/follow.h \
	%reldir%/strong/policy-daumen-drauf.c \
	%reldir%/strong/policy-daupun.c \
	%reldir%/strong/policy-doubles-dread.c \
	%reldir%/strong/policy-durnius.c \
	%reldir%/strong/policy-toepen.c \
	%reldir%/strong/policy.c \
	%reldir%/strong/policy.h \
	%reldir%/strong/sample-deal.c \
	%reldir%/strong/sample-deal.h \
	%reldir%/strong/sample-round.c \
	%reldir%/strong/sample-round.h \
	%reldir%/strong/sample-view.c \
	%reldir%/strong/sample-view.h \
	%reldir%/strong/sample.c \
	%reldir%/strong/sample.h \
	%reldir%/strong/search.c \
	%reldir%/strong/search.h \
	%reldir%/strong/told.c \
	%reldir%/strong/told.h \
	%reldir%/strong/value.c \
	%reldir%/strong/value.h
%canon_reldir%_strong_libthink_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS)
# The strong bots have no flags of their own, so that the kit is compiled once.
%reldir%/strong/strong-bot.o %reldir%/strong/thinker.o: AM_CPPFLAGS += \
	$(SODIUM_CFLAGS) -I$(top_srcdir)/%reldir%/c
noinst_PROGRAMS += %reldir%/strong/strong-bot
%canon_reldir%_strong_strong_bot_SOURCES = \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h \
	%reldir%/strong/strong-bot.c
%canon_reldir%_strong_strong_bot_LDADD = %reldir%/strong/libthink.a \
	referee/libgames.a protocol/libprotocol.a $(SODIUM_LIBS) -lm
# What it thinks of a game that is over: `referee replay --opinions` starts it.
pkglibexec_PROGRAMS += %reldir%/strong/strong-opinions
%canon_reldir%_strong_strong_opinions_SOURCES = %reldir%/strong/opinions.c
%canon_reldir%_strong_strong_opinions_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS)
%canon_reldir%_strong_strong_opinions_LDADD = %reldir%/strong/libthink.a \
	referee/libgames.a protocol/libprotocol.a $(SODIUM_LIBS) -lm
# The example of README.md.
noinst_PROGRAMS += %reldir%/strong/thinker
%canon_reldir%_strong_thinker_SOURCES = \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h \
	%reldir%/strong/thinker.c
%canon_reldir%_strong_thinker_LDADD = %reldir%/strong/libthink.a \
	referee/libgames.a protocol/libprotocol.a $(SODIUM_LIBS)
EXTRA_DIST += %reldir%/make-tables.py
# What people copy: PREFIX/share/referee/sample-bots.
nobase_dist_pkgdata_DATA = \
	%reldir%/README.md \
	%reldir%/c/random-bot.c \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h \
	%reldir%/rust/bot.conf \
	%reldir%/rust/random_bot.rs \
	%reldir%/rust/referee_bot.rs \
	%reldir%/shell/bot.conf \
	%reldir%/python/bot.conf \
	%reldir%/javascript/bot.conf \
	%reldir%/java/bot.conf \
	%reldir%/go/bot.conf \
	%reldir%/cpp/bot.conf \
	%reldir%/c/bot.conf \
	%reldir%/cpp/random_bot.cpp \
	%reldir%/cpp/referee_bot.hpp \
	%reldir%/go/random_bot.go \
	%reldir%/go/referee_bot.go \
	%reldir%/java/RandomBot.java \
	%reldir%/java/RefereeBot.java \
	%reldir%/javascript/random-bot.js \
	%reldir%/javascript/referee-bot.js \
	%reldir%/python/daumen_drauf_bot.py \
	%reldir%/python/daupun_bot.py \
	%reldir%/python/doubles_dread_bot.py \
	%reldir%/python/durnius_bot.py \
	%reldir%/python/random_bot.py \
	%reldir%/python/referee_bot.py \
	%reldir%/python/toepen_bot.py \
	%reldir%/shell/first.sh \
	%reldir%/shell/random_bot.sh \
	%reldir%/shell/referee_bot.sh

include sample-bots/hostile/local.mk
