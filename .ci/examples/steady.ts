/**
 * What a recording may not show as it is: secrets, which get placeholders of the right shape, and what
 * another machine or another run would have otherwise.
 */

const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/outrider_(?:live|test)_[0-9A-Za-z]{38}/g, `outrider_test_${"x".repeat(38)}`],
  [/whsec_[A-Za-z0-9+/=]+/g, `whsec_${"x".repeat(32)}`],
  [/\bp=[A-Za-z0-9+/=]{40,}/g, "p=MIIBIjANBgkq…"],
  [/(\/(?:oauth|billing|invitation)[\w/?=]*[/#=])[\w.~-]{20,}/g, `$1${"x".repeat(32)}`],
  [/(\/u\/|unsubscribe%20)[\w-]{30,}/g, `$1${"x".repeat(32)}`],
  [/\bkey\/[\w-]{40,}\.[\w-]+/g, "key/eyJhY2NvdW50…"],
  [/"duration_ms":\d+/g, '"duration_ms":12'],
  [/"last4":"\w{4}"/g, '"last4":"xxxx"'],
  [/"hash":"[0-9a-f]{64}"/g, `"hash":"${"5f3a".repeat(16)}"`],
];

/** `value` with placeholders, whatever it is made of. */
export function steady<Value>(value: Value): Value {
  const text = PLACEHOLDERS.reduce(
    (all, [shape, placeholder]) => all.replace(shape, placeholder),
    JSON.stringify(value),
  );
  return JSON.parse(text) as Value;
}
