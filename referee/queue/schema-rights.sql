-- referee/queue/schema-rights.sql - who may what.

REVOKE ALL ON ALL TABLES IN SCHEMA referee FROM PUBLIC, referee_worker;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA referee FROM PUBLIC, referee_worker;
GRANT USAGE ON SCHEMA referee TO referee_worker;
GRANT EXECUTE ON FUNCTION
	queue_version(),
	enlist(text, text, text, text, text, bigint, float8),
	claim(text, bigint, text, text[], bigint, bigint[]),
	give_entropy(text, bigint, bigint, bytea),
	beat(text, bigint[], bigint[], bigint),
	report(text, bigint, bigint, bytea),
	give_back(text, bigint[], bigint[], text),
	give_back_unbuilt(text, bigint, bigint, text, text),
	fetch_bot(text, bigint, bigint)
	TO referee_worker;
