/** Details of a request for the log, in addition to its URL and its status. */
export interface CallFacts {
  /** How the caller was authenticated. */
  caller?: "key" | "browser" | "keyless" | "operator"
  account?: string
  key?: string
  /** ID of the run that the request started. */
  run?: string
}

const facts = new WeakMap<Request, CallFacts>()

/** Adds details of a request for its log line. */
export function addCallFacts(request: Request, more: CallFacts): void {
  const known = facts.get(request)
  if (known) Object.assign(known, more)
  else facts.set(request, more)
}

export function factsOf(request: Request): CallFacts | undefined {
  return facts.get(request)
}
