import { persist } from "../../store/db/disk/persist.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { AnonymousCaller } from "../keyless/caller.ts"
import type { StoredCall } from "../keyless/calls.ts"
import type { Surface } from "../keyless/payment.ts"
import type { KeylessResponse } from "../keyless/response.ts"
import { isFreeOfQuota } from "../keyless/settlement.ts"
import type { KeylessSurface } from "../keyless/surface.ts"
import { addCallFacts } from "../log/call-facts.ts"
import type { Call } from "../service.ts"
import { checkedPart, inTime, maxPartMs, resultOf, tooLate } from "./part-runs.ts"
import type { Part, PartLimits, PartResult } from "./web-search.ts"

/** A call that must not run, because it has no quota or credits left. */
export class CallRefused extends Error {
  constructor(readonly response: KeylessResponse) {
    super("The call has no quota or credits.")
  }
}

export interface SeveralOptions {
  call: Call
  caller: AnonymousCaller
  /** The part of the response that repeats the call. */
  stored: StoredCall
  surface?: Surface
  maxAgeMs?: number | undefined
  /** Aborts all runs, in addition to the end of the connection. */
  signal?: AbortSignal
}

interface Started {
  run: RunRow
  isShared: boolean
}

interface Ended extends PartResult {
  isShared?: boolean
  heldMs?: number
}

/** Runs of one call that execute at the same time. The daily free quota counts them as one call. */
export class SeveralRuns {
  /** Credits that the runs have cost so far. */
  creditsCharged = 0
  private isPaid = false

  constructor(
    private readonly surface: KeylessSurface,
    private readonly options: SeveralOptions,
  ) {}

  /** Returns the results in the order of the parts. @throws CallRefused, KeylessError, ApiError */
  async run(parts: readonly Part[], limits: PartLimits): Promise<PartResult[]> {
    const { call, signal } = this.options
    this.surface.calls.requireOwnPage(call)
    call.server?.timeout(call.request, 0)
    const started = await this.startAll(parts)
    const signals = [call.request.signal, ...(signal ? [signal] : [])]
    const settled = await inTime(started, limits, signals, async (one, ending): Promise<Ended> => {
      return "run" in one ? persist(() => this.ended(one, ending)) : one
    })
    const results = settled.map((one) => (one.status === "fulfilled" ? one.value : undefined))
    await this.settle(results)
    const failure = settled.find((one) => one.status === "rejected")
    if (failure && results.every((result) => result === undefined)) throw failure.reason
    return results.map((result) => result ?? lost)
  }

  /** Starts all runs, or none. @throws CallRefused */
  private async startAll(parts: readonly Part[]): Promise<(Started | PartResult)[]> {
    const started: (Started | PartResult)[] = []
    try {
      for (const part of parts) started.push(await this.start(part))
      return started
    } catch (error) {
      for (const one of started) if ("run" in one) await this.end(one.run.id)
      await this.settle([])
      throw error
    }
  }

  /** Aborts a run that no other call waits for. */
  private async end(id: string): Promise<void> {
    const { calls, service } = this.surface
    if (!calls.isSharedRun(id)) await service.runs.abort(id)
  }

  /**
   * Starts a run, or shares that of an identical call. The first one that is not shared takes a call of
   * the daily free quota. @throws CallRefused
   */
  private async start(part: Part): Promise<Started | PartResult> {
    const { maxAgeMs, caller, call, stored, surface } = this.options
    const { calls, service } = this.surface
    const checked = checkedPart((slug) => service.scraper(slug), part)
    if (!("scraper" in checked)) return checked
    const request = {
      ...{ ...checked, tool: part.slug, inputText: "" },
      ...(maxAgeMs !== undefined && { maxAgeMs }),
    }
    const started = this.isPaid
      ? await calls.start(caller, request)
      : await calls.startPaid(caller, request)
    if (!started) throw new CallRefused(await calls.paymentRequired(call, stored, surface))
    if (!started.isShared) this.isPaid = true
    addCallFacts(call.request, { run: started.run.id })
    return started
  }

  private async ended({ run, isShared }: Started, ending: AbortSignal): Promise<Ended> {
    const { runs, store } = this.surface.service
    const current = (await runs.wait(run.id, maxPartMs, ending)) ?? run
    const heldMs = Date.now() - Date.parse(run.created_at)
    const facts = { isShared, heldMs, ...(isShared && { age: Math.round(heldMs / 1000) }) }
    if (isOver(current.status)) {
      if (!isShared) this.creditsCharged += current.credits_charged
      return { ...facts, ...(await resultOf(store.db, current)) }
    }
    await this.end(run.id)
    return { ...facts, ...tooLate }
  }

  /** Returns the call to the daily free quota if none of its own runs returned items. */
  private async settle(results: readonly (Ended | undefined)[]): Promise<void> {
    const { caller, call } = this.options
    if (caller.accountId !== null || !this.isPaid) return
    const { freeQuota: allowance, log } = this.surface.service
    const isFree = (result: Ended | undefined) =>
      !result || result.isShared === true || (result.error && isFreeOfQuota(result.error.code))
    if (!call.request.signal.aborted && !results.every(isFree)) return
    this.isPaid = false
    const heldMs = Math.max(0, ...results.map((result) => result?.heldMs ?? 0))
    await persist(() => allowance.refund(caller.subjects, heldMs)).catch((error) => {
      log.error({ err: error }, "a call could not be returned to the daily free quota")
    })
  }
}

const lost: PartResult = {
  items: [],
  error: { code: "upstream_error", message: "The run was lost." },
}
