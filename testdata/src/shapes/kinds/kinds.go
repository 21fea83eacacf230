// Package kinds has arguments of every kind.
package kinds

import (
	"context"
	"math"
	"time"

	"github.com/redis/go-redis/v9"
)

var s = redis.NewScript(`return #ARGV`)

type (
	id     string
	count  int
	binary struct{ a int }
	point  struct{ x, y int }
)

// MarshalBinary writes it.
func (b binary) MarshalBinary() ([]byte, error) { return []byte{byte(b.a)}, nil }

const limit = 10

func all(ctx context.Context, c redis.Scripter, str string, n int, u32 uint32, f float64, b bool, d time.Duration, t time.Time, bytes []byte, anything any, p *int) {
	s.Run(ctx, c, nil, "text", str, bytes, n, u32, f, b)
	s.Run(ctx, c, nil, d, t, nil, id("x"), count(1), binary{1}, point{1, 2}, &point{1, 2}) // want call-argument@27 call-argument@32 call-argument@41 call-argument@62 call-argument@75
	s.Run(ctx, c, nil, []int{1}, 1, map[string]int{}, anything, p, func() {}, time.Now())  // want call-argument@21 call-argument@34 call-argument@65
	s.Run(ctx, c, nil, d.Milliseconds(), d.Seconds(), int(d.Seconds()), int64(d/time.Second), int64(d/time.Millisecond), d.Microseconds(), d.Nanoseconds())
	s.Run(ctx, c, nil, time.Now().Unix(), time.Now().UnixMilli(), time.Now().Add(d).UnixMicro(), t.UnixNano(), int64(math.Ceil(d.Seconds())))
	s.Run(ctx, c, nil, limit, 2.5, -1, len(str), int64(d), 5*time.Second, int(limit))
	ttl := int(d / time.Second)
	now := time.Now()
	expires := now.Add(d).Unix()
	s.Run(ctx, c, nil, ttl, expires, now.Unix()-60)
	cmd := "publish"
	if b {
		cmd = "spublish"
	}
	var mode string
	if b {
		mode = "nx"
	}
	s.Run(ctx, c, nil, cmd, mode)
	s.Run(ctx, c, nil, point{}) // want call-argument@21
	s.Run(ctx, c, nil, map[string]any{"a": 1})
	s.Run(ctx, c, nil, []int{1, 2}) // want call-argument@21
	s.Run(ctx, c, nil, []string(nil))
	lease := 90 * time.Second
	s.Run(ctx, c, nil, int(lease.Seconds()), lease.Milliseconds())
}

var _ = all
