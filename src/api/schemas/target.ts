import type { Page } from "../../store/db/page.ts"
import type { ListedTarget, TargetState } from "../../store/runs/target-lists.ts"

export interface TargetsRequest {
  runN: number
  state: TargetState | undefined
  page: Page
  /** Reason why the run is waiting. */
  reason: string | null
  /** Hosts that are backed off. */
  hosts: { host: string; reason: string; seconds: number }[]
}

export function targetResponse(
  { seq, target, state, fetchMethod, error }: ListedTarget,
  { reason, hosts }: Pick<TargetsRequest, "reason" | "hosts">,
) {
  const isWaiting = state === "queued" || state === "running"
  const { code = null, message = null } = error === null ? {} : errorOf(error)
  return {
    position: seq,
    target,
    state,
    reason: isWaiting ? (restOf(target, hosts) ?? reason) : null,
    fetchMethod: isWaiting ? null : fetchMethod,
    code,
    message,
  }
}

function restOf(target: string, hosts: TargetsRequest["hosts"]): string | undefined {
  if (hosts.length === 0 || !URL.canParse(target)) return undefined
  const { hostname } = new URL(target)
  const rests = hosts.find(({ host }) => host === hostname)
  return rests && `${rests.host} gets no requests for ${rests.seconds} s more: ${rests.reason}`
}

const errorOf = (body: string) =>
  (JSON.parse(body) as { error?: { code?: string; message?: string } }).error ?? {}
