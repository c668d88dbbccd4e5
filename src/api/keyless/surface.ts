import { briefText, ScrapeError } from "../../catalogue/kit/index.ts"
import { Stopping } from "../../engine/runtime/workers/supervisor.ts"
import { issue } from "../http/body.ts"
import { ApiError } from "../http/errors.ts"
import { logFailure, storeIssue } from "../http/store-error.ts"
import type { Call, Service } from "../service.ts"
import { type AnonymousCaller, anonymousCaller, identify } from "./caller.ts"
import { KeylessCalls } from "./calls.ts"
import { invalidInput, KeylessError } from "./error.ts"
import type { KeylessResponse } from "./response.ts"

/** The parts of a response that repeat the call, known before anything can fail. */
export interface Requested {
  tool: string
  inputText: string
  agentId: string | null
  token: string | null
}

/** The keyless routes. Each call returns a response with a `status`, also if it fails. */
export class KeylessSurface {
  readonly calls: KeylessCalls

  constructor(readonly service: Service) {
    this.calls = new KeylessCalls(service)
  }

  /** Runs `work` and returns its response, or an error response with its status. */
  async response(
    call: Call,
    requested: Requested,
    work: (caller: AnonymousCaller) => Promise<KeylessResponse>,
  ): Promise<{ response: KeylessResponse; issue?: KeylessError }> {
    let caller: AnonymousCaller | undefined
    try {
      caller = await identify(this.service, call, requested)
      return { response: await work(caller) }
    } catch (error) {
      const issue = this.asIssue(call, error)
      caller ??= anonymousCaller(this.service, call, requested.agentId)
      return { response: await this.refusal(call, requested, caller, issue), issue }
    }
  }

  private async refusal(
    call: Call,
    { tool, inputText }: Requested,
    caller: AnonymousCaller,
    { status, message, details }: KeylessError,
  ): Promise<KeylessResponse> {
    // Long values are shortened in error responses.
    const stored = { tool: briefText(tool), inputText: briefText(inputText, 1000), caller }
    return {
      status,
      ...(await this.calls.base(call, stored)),
      error: { message, ...(details !== undefined && { details }) },
    }
  }

  /** Returns the error for the client; an error of the service is logged. */
  asIssue(call: Call, error: unknown): KeylessError {
    if (error instanceof KeylessError) return error
    // Pages of other sites get the same refusal as at every other route.
    if (error instanceof ApiError && error.status === 403) throw error
    const refusal = error instanceof ApiError ? error : storeIssue(error)
    if (refusal) {
      Object.assign(call.set.headers, refusal.headers)
      // Proxies and clients that retry must see this status, also for GET.
      if (refusal !== error) call.set.status = refusal.status
      const details = refusal.details as KeylessError["details"]
      const status = refusal.status === 429 || refusal.status >= 500 ? "ERROR" : "INVALID_INPUT"
      return new KeylessError(status, refusal.message, details, refusal.status)
    }
    if (error instanceof ScrapeError)
      return invalidInput([issue("", error.message, "another input")])
    if (error instanceof Stopping) return new KeylessError("ERROR", error.message, undefined, 503)
    logFailure(this.service, error, call.request.url)
    return new KeylessError("ERROR", "Internal error; see the service's log.")
  }
}

export function requestedBy(query: URLSearchParams, tool: string, inputText: string): Requested {
  return { tool, inputText, agentId: query.get("agentId"), token: query.get("token") }
}
