package outrider

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"
)

// Opt is a field that may be left out: Some sends a value, Null sends null, and the zero value sends nothing.
type Opt[T any] struct {
	value *T
	given bool
}

// Some is a field with a value.
func Some[T any](value T) Opt[T] { return Opt[T]{&value, true} }

// Null is a field that is null: it clears what is there.
func Null[T any]() Opt[T] { return Opt[T]{nil, true} }

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (T, bool) {
	if o.value == nil {
		var none T
		return none, false
	}
	return *o.value, true
}

// IsZero reports whether the field was left out.
func (o Opt[T]) IsZero() bool { return !o.given }

// MarshalJSON writes the value, or null.
func (o Opt[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.value) }

// UnmarshalJSON reads the value, or null.
func (o *Opt[T]) UnmarshalJSON(text []byte) error {
	o.given = true
	return json.Unmarshal(text, &o.value)
}

func add[T any](query url.Values, name string, field Opt[T]) {
	value, isGiven := field.Get()
	if !isGiven {
		return
	}
	if at, isTime := any(value).(time.Time); isTime {
		query.Set(name, at.Format(time.RFC3339Nano))
		return
	}
	query.Set(name, fmt.Sprint(value))
}

// optional is no body at all where there is none.
func optional[T any](body *T) any {
	if body == nil {
		return nil
	}
	return body
}
