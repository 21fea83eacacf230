// Package embedded embeds the client in layers of structs, and a mutex beside it.
package embedded

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

type base struct {
	*redis.Client
	sync.Mutex
}

type middle struct{ base }

// Store is the outer one.
type Store struct {
	middle
	Prefix string
	lua    map[string]string
}

func newStore(c *redis.Client) *Store {
	s := &Store{middle: middle{base{Client: c}}, Prefix: "p:"}
	s.lua = map[string]string{
		"one": `return redis.call('GET', KEYS[1])`,
		"two": `return redis.call('MGET', KEYS[1], KEYS[2])`,
	}
	return s
}

func (s *Store) one(ctx context.Context, id string) error {
	return s.Eval(ctx, s.lua["one"], []string{s.Prefix + id}).Err()
}

func (s *Store) two(ctx context.Context, id string) error {
	return s.Eval(ctx, s.lua["two"], []string{s.Prefix + id}).Err() // want numkeys@35
}

func (s *Store) any(ctx context.Context, name, id string) error {
	src, ok := s.lua[name]
	if !ok {
		return redis.Nil
	}
	return s.Eval(ctx, src, []string{s.Prefix + id}).Err()
}

var _, _, _, _ = newStore, (*Store).one, (*Store).two, (*Store).any
