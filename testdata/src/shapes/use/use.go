// Package use has the ways in which calls decode replies and look at errors.
package use

import (
	"context"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"
)

var s = redis.NewScript(`return 1`) // want lossy-reply@33

var errGone = errors.New("gone")

func decode(ctx context.Context, c redis.Scripter) {
	_, _ = s.Run(ctx, c, nil).Int()
	_, _ = s.Run(ctx, c, nil).Bool()
	s.Run(ctx, c, nil)
	_ = s.Run(ctx, c, nil).Err()
	cmd := s.Run(ctx, c, nil)
	if v, err := cmd.StringSlice(); err == nil {
		_ = v
	}
}

func result(ctx context.Context, c redis.Scripter) (string, error) {
	v, err := s.Run(ctx, c, nil).Result()
	if err != nil {
		return "", err
	}
	return v.(string), nil
}

func texts(ctx context.Context, c redis.Scripter) error {
	err := s.Run(ctx, c, nil).Err()
	if err != nil && err.Error() == "GONE away" {
		return errGone
	}
	if err != nil && strings.Contains(err.Error(), "limit") || redis.HasErrorPrefix(err, "BUSY") {
		return nil
	}
	return err
}

func nilHandled(ctx context.Context, c redis.Scripter) (bool, error) {
	v, err := s.Run(ctx, c, nil).Bool()
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	return v, err
}

func inner(ctx context.Context, c redis.Scripter) (int64, error) { return s.Run(ctx, c, nil).Int64() }

func byCaller(ctx context.Context, c redis.Scripter) int64 {
	n, err := inner(ctx, c)
	if err == redis.Nil {
		return 0
	}
	return n
}

func returned(ctx context.Context, c redis.Scripter, keys []string) *redis.Cmd {
	return s.Run(ctx, c, keys)
}

func outer(ctx context.Context, c redis.Scripter) (float64, error) {
	return returned(ctx, c, []string{"k"}).Float64()
}

var _, _, _, _, _, _ = decode, result, texts, nilHandled, byCaller, outer
