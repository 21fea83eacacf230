// Package multi spreads a repository over files: the scripts in one, the keys in another, the calls in a third.
package multi

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type repo struct {
	db redis.UniversalClient
}

func (r *repo) transfer(ctx context.Context, from, to string, n int) (bool, error) {
	res, err := transferScript.Run(ctx, r.db, transferKeys(from, to), n).Result() // want cross-slot@44
	if err != nil {
		return false, err
	}
	ok, _ := res.(int64)
	return ok == 1, nil
}

func (r *repo) pay(ctx context.Context, user string, n int) error {
	_, err := r.transfer(ctx, user, "bank", n)
	return err
}

func (r *repo) keys(ctx context.Context, tenant, a, b string) error {
	k := newKeys(tenant)
	if err := transferScript.Run(ctx, r.db, []string{k.account(a), k.account(b)}, 1).Err(); err != nil {
		return err
	}
	return transferScript.Run(ctx, r.db, []string{k.account(a), "log:" + tenant}, 1).Err() // want cross-slot@62
}

var _, _ = (*repo).pay, (*repo).keys
