/* referee/remote/first-ask.c - see first-ask.h. */
#include "referee/remote/first-ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "protocol/util.h"

#define MOST_US (START_MS * (uint64_t)1000)

struct first_ask {
	struct first_ask *next, **prev;
	char name[NAME_BYTES + 1];
	unsigned users;
	uint64_t left_us, taken_us; /* the balance at since_us */
	uint64_t since_us;
};

/* Fills the account up.  Room for what is taken stays free, because it may come
 * back. */
static void
fill(struct first_ask *account, uint64_t now_us)
{
	uint64_t us = (now_us - account->since_us) / START_PART,
		 room_us = MOST_US - account->taken_us - account->left_us;

	account->left_us += us < room_us ? us : room_us;
	account->since_us += us * START_PART;
}

static void
account_free(struct first_ask *account)
{
	LIST_CUT(account);
	free(account);
}

/* Forgets full accounts.  The list stays short: an account is full again soon
 * after its bot's last first ask. */
static void
forget_full(struct first_ask *account, uint64_t now_us)
{
	struct first_ask *next;

	for (; account != NULL; account = next) {
		next = account->next;
		fill(account, now_us);
		if (account->users == 0 && account->left_us >= MOST_US)
			account_free(account);
	}
}

struct first_ask *
first_ask_open(struct first_ask **accounts, const char *name, uint64_t now_us)
{
	struct first_ask *account;

	forget_full(*accounts, now_us);
	for (account = *accounts; account != NULL; account = account->next)
		if (strcmp(account->name, name) == 0)
			break;
	if (account == NULL) {
		account = memory(NULL, sizeof(*account));
		*account = (struct first_ask){ .left_us = MOST_US,
					       .since_us = now_us };
		snprintf(account->name, sizeof(account->name), "%s", name);
		LIST_PUT(*accounts, account);
	}
	account->users++;
	return account;
}

void
first_ask_close(struct first_ask *account)
{
	account->users--;
}

uint64_t
first_ask_take(struct first_ask *account, uint64_t now_us)
{
	uint64_t us;

	fill(account, now_us);
	us = account->left_us;
	account->taken_us += us;
	account->left_us = 0;
	return us;
}

void
first_ask_give(struct first_ask *account, uint64_t taken_us, uint64_t used_us,
	       uint64_t now_us)
{
	fill(account, now_us);
	account->taken_us -= taken_us;
	account->left_us += taken_us - used_us;
}

void
first_asks_release(struct first_ask **accounts)
{
	while (*accounts != NULL)
		account_free(*accounts);
}
