# Rules of the tree that a script can check.
LINTS = %reldir%/check-banned.sh %reldir%/check-callers.py \
	%reldir%/check-clock.py %reldir%/check-dist.sh \
	%reldir%/check-events.py %reldir%/check-includes.py \
	%reldir%/check-links.py \
	%reldir%/check-luck.py \
	%reldir%/check-markup.py \
	%reldir%/check-metrics.py %reldir%/check-mutants.py \
	%reldir%/check-names.py \
	%reldir%/check-python.py
dist_check_SCRIPTS += $(LINTS)
TESTS += $(LINTS)
EXTRA_DIST += %reldir%/c_text.py

# For check-callers.py: every program without what main() does not reach.  Its last
# lines are the flags that do it, our libraries, and these programs.
CALLERS_CANARY = %reldir%/canary.callers.o
CALLERS_LIBS = referee/libreferee.a ladder/libladder.a referee/libgames.a \
	referee/libframes.a protocol/libprotocol.a
CALLERS_LINK = $(CCLD) $(CFLAGS) $(LDFLAGS) $(SECTION_LDFLAGS)
CALLERS_ALL = -Wl,--whole-archive $(CALLERS_LIBS) -Wl,--no-whole-archive
CALLERS_GAMES = -Wl,--whole-archive referee/libgames.a protocol/libprotocol.a \
	-Wl,--no-whole-archive $(SODIUM_LIBS) -lm
CALLERS_OUT = %reldir%/referee.callers %reldir%/box.callers \
	%reldir%/strong.callers %reldir%/thinker.callers
CLEANFILES += $(CALLERS_OUT) $(CALLERS_CANARY)
callers: $(referee_referee_OBJECTS) $(referee_referee_box_OBJECTS) \
		$(sample_bots_strong_strong_bot_OBJECTS) \
		$(sample_bots_strong_thinker_OBJECTS) $(CALLERS_LIBS)
	@$(MKDIR_P) %reldir%
	@echo 'void callers_canary(void); void callers_canary(void) {}' | \
		$(CC) $(CFLAGS) $(SECTION_CFLAGS) -c -x c -o $(CALLERS_CANARY) -
	@$(CALLERS_LINK) -static -o %reldir%/box.callers \
		$(referee_referee_box_OBJECTS)
	@$(CALLERS_LINK) $(HARD_LDFLAGS) -o %reldir%/referee.callers \
		$(referee_referee_OBJECTS) $(CALLERS_CANARY) \
		$(CALLERS_ALL) $(referee_referee_LDADD)
	@$(CALLERS_LINK) $(HARD_LDFLAGS) -o %reldir%/strong.callers \
		$(sample_bots_strong_strong_bot_OBJECTS) \
		sample-bots/strong/libthink.a $(CALLERS_GAMES)
	@$(CALLERS_LINK) $(HARD_LDFLAGS) -o %reldir%/thinker.callers \
		$(sample_bots_strong_thinker_OBJECTS) \
		sample-bots/strong/libthink.a $(CALLERS_GAMES)
	@echo $(SECTION_CFLAGS) $(SECTION_LDFLAGS)
	@echo $(CALLERS_LIBS) $(CALLERS_CANARY) $(referee_referee_box_OBJECTS)
	@echo $(CALLERS_OUT)
.PHONY: callers
