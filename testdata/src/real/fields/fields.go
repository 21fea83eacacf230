// Package fields keeps scripts in the fields of a struct that a constructor fills, one after another.
package fields

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Locker holds its scripts.
type Locker struct {
	client  redis.UniversalClient
	scripts struct {
		acquire, release, refresh *redis.Script
	}
	prefix string
}

const acquireSrc = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return 1
end
return 0`

// New fills them.
func New(c redis.UniversalClient, prefix string) *Locker {
	l := &Locker{client: c, prefix: prefix}
	l.scripts.acquire = redis.NewScript(acquireSrc)
	l.scripts.release = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)
	s := &l.scripts
	s.refresh = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`)
	return l
}

func (l *Locker) key(name string) string { return l.prefix + name }

// Acquire takes the lock.
func (l *Locker) Acquire(ctx context.Context, name, token string, ttl time.Duration) (bool, error) {
	n, err := l.scripts.acquire.Run(ctx, l.client, []string{l.key(name)}, token, ttl.Milliseconds()).Int()
	return n == 1, err
}

// Release and Refresh forget their arguments.
func (l *Locker) Release(ctx context.Context, name, token string) error {
	return l.scripts.release.Run(ctx, l.client, []string{l.key(name)}).Err() // want missing-argv@9
}

func (l *Locker) Refresh(ctx context.Context, name, token string) error {
	return l.scripts.refresh.Run(ctx, l.client, []string{l.key(name)}, token).Err() // want missing-argv@69
}
