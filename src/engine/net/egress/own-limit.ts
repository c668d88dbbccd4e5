import { descriptors } from "../../../base/process-usage.ts"
import { Unreachable } from "../../../catalogue/kit/index.ts"

/** With so few file descriptors left, a look-up or a connection may have failed for want of one. */
const neededDescriptors = 16

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? "")

/** What the runtime also reports without a descriptor: of a name, and of a socket. */
const ambiguous = /NOTFOUND|EAI_|REFUSED|FailedToOpenSocket/i

function isNearLimit(): boolean {
  const { open = 0, max = Number.POSITIVE_INFINITY } = descriptors() ?? {}
  return open + neededDescriptors >= max
}

/**
 * Returns the error of a connection or a look-up that failed because this process has too many open
 * files; undefined if the cause is the host's.
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
