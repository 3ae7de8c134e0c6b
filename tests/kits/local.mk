# The bot kits under every way in which lines may arrive.
check_PROGRAMS += %reldir%/hand-bot %reldir%/random-bot %reldir%/random-bot-tls
%canon_reldir%_hand_bot_SOURCES = \
	%reldir%/hand-bot.c \
	sample-bots/c/referee-bot.c \
	sample-bots/c/referee-bot.h
%canon_reldir%_random_bot_SOURCES = \
	sample-bots/c/random-bot.c \
	sample-bots/c/referee-bot.c \
	sample-bots/c/referee-bot.h
# The kit in C has TLS only if it is told so.
%canon_reldir%_random_bot_tls_SOURCES = \
	sample-bots/c/random-bot.c \
	sample-bots/c/referee-bot.c \
	sample-bots/c/referee-bot.h
%canon_reldir%_random_bot_tls_CPPFLAGS = $(AM_CPPFLAGS) -DREFEREE_BOT_TLS
%canon_reldir%_random_bot_tls_CFLAGS = $(AM_CFLAGS) $(OPENSSL_CFLAGS)
%canon_reldir%_random_bot_tls_LDADD = $(OPENSSL_LIBS)

if HAVE_CXX
check_DATA += %reldir%/cpp/hand-bot %reldir%/cpp/random-bot-tls
endif
%reldir%/cpp/hand-bot: %reldir%/hand_bot.cpp sample-bots/cpp/referee_bot.hpp \
		$(CXX_KIT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(BUILD_CXX) -I$(srcdir) -o $@ \
		$(srcdir)/%reldir%/hand_bot.cpp $(CXX_KIT)
%reldir%/cpp/referee-bot-tls.o: sample-bots/c/referee-bot.c \
		sample-bots/c/referee-bot.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) -std=gnu17 $(CXX_SPEED) \
		-DREFEREE_BOT_TLS $(OPENSSL_CFLAGS) -c -o $@ \
		$(srcdir)/sample-bots/c/referee-bot.c
%reldir%/cpp/random-bot-tls: $(CXX_RANDOM) %reldir%/cpp/referee-bot-tls.o
	$(AM_V_GEN)$(BUILD_CXX) -o $@ $(CXX_RANDOM) \
		%reldir%/cpp/referee-bot-tls.o $(OPENSSL_LIBS)

if HAVE_RUST
check_DATA += %reldir%/rust/hand-bot
endif
%reldir%/rust/hand-bot: %reldir%/hand_bot.rs sample-bots/rust/referee_bot.rs
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(BUILD_RUST) -o $@ $(srcdir)/%reldir%/hand_bot.rs

# The files of a program in Go lie in one folder.
if HAVE_GO
check_DATA += %reldir%/go/hand-bot
endif
%reldir%/go/hand-bot: %reldir%/go/hand_bot.go sample-bots/go/referee_bot.go
	$(AM_V_GEN)$(MKDIR_P) $@.src && \
	cp $(srcdir)/%reldir%/go/hand_bot.go \
		$(srcdir)/sample-bots/go/referee_bot.go $@.src && \
	$(BUILD_GO) -o $@ $@.src/hand_bot.go $@.src/referee_bot.go

if HAVE_JAVA
check_DATA += %reldir%/java/HandBot.class
endif
%reldir%/java/HandBot.class: %reldir%/HandBot.java \
		sample-bots/java/RandomBot.class
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(COMPILE_CLASSES) -cp sample-bots/java \
		-d $(@D) $(srcdir)/%reldir%/HandBot.java

CLEANFILES += \
	%reldir%/java/HandBot.class \
	%reldir%/cpp/hand-bot \
	%reldir%/cpp/random-bot-tls \
	%reldir%/cpp/referee-bot-tls.o \
	%reldir%/go/hand-bot \
	%reldir%/go/hand-bot.src/hand_bot.go \
	%reldir%/go/hand-bot.src/referee_bot.go \
	%reldir%/rust/hand-bot
KIT_TESTS = \
	%reldir%/test_kits.py \
	%reldir%/test_remote.py \
	%reldir%/test_remote_lost.py \
	%reldir%/test_remote_tls.py \
	%reldir%/test_tables.py
dist_check_SCRIPTS += $(KIT_TESTS)
TESTS += $(KIT_TESTS)
EXTRA_DIST += \
	%reldir%/fake_referee.py \
	%reldir%/HandBot.java \
	%reldir%/go/hand_bot.go \
	%reldir%/hand-bot.js \
	%reldir%/hand_bot.cpp \
	%reldir%/hand_bot.py \
	%reldir%/hand_bot.rs \
	%reldir%/hand_bot.sh \
	%reldir%/hands.txt \
	%reldir%/random.txt \
	%reldir%/remote.txt
