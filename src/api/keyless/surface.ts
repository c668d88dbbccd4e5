import { briefText, Outcome } from "../../catalogue/kit/index.ts"
import { Stopping } from "../../engine/workers/supervisor.ts"
import { fault } from "../http/body.ts"
import { ApiError } from "../http/errors.ts"
import { logFailure, storeFault } from "../http/store-fault.ts"
import type { Call, Service } from "../service.ts"
import type { KeylessAnswer } from "./answer.ts"
import { identify, type KeylessCaller, stranger } from "./caller.ts"
import { KeylessCalls } from "./calls.ts"
import { invalidInput, KeylessFault } from "./fault.ts"

/** What an answer repeats of its call, known before anything can fail. */
export interface Asked {
  tool: string
  inputText: string
  agentId: string | null
  token: string | null
}

/** The keyless routes: each call ends in an answer with a `status`, whatever happens. */
export class KeylessSurface {
  readonly calls: KeylessCalls

  constructor(readonly service: Service) {
    this.calls = new KeylessCalls(service)
  }

  /** Answers by `work`; a fault becomes an answer with its status. */
  async answer(
    call: Call,
    asked: Asked,
    work: (caller: KeylessCaller) => Promise<KeylessAnswer>,
  ): Promise<{ answer: KeylessAnswer; fault?: KeylessFault }> {
    let caller: KeylessCaller | undefined
    try {
      caller = await identify(this.service, call, asked)
      return { answer: await work(caller) }
    } catch (error) {
      const fault = this.asFault(call, error)
      caller ??= stranger(this.service, call, asked.agentId)
      return { answer: await this.refusal(call, asked, caller, fault), fault }
    }
  }

  private async refusal(
    call: Call,
    { tool, inputText }: Asked,
    caller: KeylessCaller,
    { status, message, details }: KeylessFault,
  ): Promise<KeylessAnswer> {
    // What is refused is not repeated at length.
    const kept = { tool: briefText(tool), inputText: briefText(inputText, 1000), caller }
    return {
      status,
      ...(await this.calls.base(call, kept)),
      error: { message, ...(details !== undefined && { details }) },
    }
  }

  /** What a failure tells the caller; what is ours is logged. */
  asFault(call: Call, error: unknown): KeylessFault {
    if (error instanceof KeylessFault) return error
    // Pages of other sites get the refusal that every other route gives them.
    if (error instanceof ApiError && error.status === 403) throw error
    const refusal = error instanceof ApiError ? error : storeFault(error)
    if (refusal) {
      Object.assign(call.set.headers, refusal.headers)
      // A proxy or a client that tries again must see this, also by GET.
      if (refusal !== error) call.set.status = refusal.status
      const details = refusal.details as KeylessFault["details"]
      const status = refusal.status === 429 || refusal.status >= 500 ? "ERROR" : "INVALID_INPUT"
      return new KeylessFault(status, refusal.message, details, refusal.status)
    }
    if (error instanceof Outcome) return invalidInput([fault("", error.message, "another input")])
    if (error instanceof Stopping) return new KeylessFault("ERROR", error.message, undefined, 503)
    logFailure(this.service, error, call.request.url)
    return new KeylessFault("ERROR", "The service failed; its log says why.")
  }
}

export function askedBy(query: URLSearchParams, tool: string, inputText: string): Asked {
  return { tool, inputText, agentId: query.get("agentId"), token: query.get("token") }
}
