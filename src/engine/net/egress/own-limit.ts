import { descriptors } from "../../../base/process-usage.ts"
import { Unreachable } from "../../../catalogue/kit/index.ts"

/**
 * With fewer free file descriptors, a lookup or connection may have failed because of the limit.
 */
const neededDescriptors = 16

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? "")

/** Error codes that the runtime also reports without a free descriptor. */
const ambiguous = /NOTFOUND|EAI_|REFUSED|FailedToOpenSocket/i

function isNearLimit(): boolean {
  const { open = 0, max = Number.POSITIVE_INFINITY } = descriptors() ?? {}
  return open + neededDescriptors >= max
}

/**
 * Returns the error of a connection or lookup that failed because this process has too many open
 * files; undefined if the host is the cause.
 */
export function ownLimit(error: unknown, host: string, url?: string): Unreachable | undefined {
  const code = codeOf(error)
  if (!/^E[MN]FILE$/.test(code) && !(ambiguous.test(code) && isNearLimit())) return undefined
  return new Unreachable(
    `This server has too many open files to connect to ${host}. The operator can raise the limit (ulimit -n).`,
    "too_many_open_files",
    { cause: error, ...(url === undefined ? {} : { url }) },
  )
}
