/** A body that is read as it arrives: a file of any size. */

/** What the request sends, which may be nothing. */
export function bodyOf(request: Request): ReadableStream<Uint8Array> {
  return (
    request.body ??
    new ReadableStream({
      start: (controller) => {
        controller.close();
      },
    })
  );
}

/** Bytes that the request announces; null where it does not. */
export function declaredBytes(request: Request): number | null {
  const header = request.headers.get("content-length");
  return header !== null && /^\d{1,16}$/.test(header) ? Number(header) : null;
}
