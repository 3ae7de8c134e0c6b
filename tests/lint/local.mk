# Rules of the tree that a script can check.
dist_check_SCRIPTS += %reldir%/check-banned.sh %reldir%/check-includes.sh \
	%reldir%/check-json-pack.py
TESTS += %reldir%/check-banned.sh %reldir%/check-includes.sh \
	%reldir%/check-json-pack.py
