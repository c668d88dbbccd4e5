/** Details of a request for the log, in addition to its URL and its status. */
export interface CallFacts {
  /** By what the caller was let in. */
  caller?: "key" | "browser" | "keyless" | "operator"
  account?: string
  key?: string
  /** That the call started. */
  run?: string
}

const facts = new WeakMap<Request, CallFacts>()

/** Notes what became known of a call. */
export function tellOfCall(request: Request, more: CallFacts): void {
  const known = facts.get(request)
  if (known) Object.assign(known, more)
  else facts.set(request, more)
}

export function factsOf(request: Request): CallFacts | undefined {
  return facts.get(request)
}
