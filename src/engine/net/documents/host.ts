import type { Tenant } from "../../../base/fair-gate.ts"
import { serve, transfer } from "../../../base/rpc.ts"
import { threadUrl } from "../../../base/thread-url.ts"
import { WatchedThreads } from "../../../base/watched-threads.ts"
import { Aborted } from "../../../catalogue/kit/index.ts"
import type { DocumentThread } from "./document-thread.ts"
import type { Picked, PickedSource } from "./picked-fields.ts"
import type { DocumentReader, DocumentRequest, ReadPage } from "./reader.ts"

export const documentLimits = {
  milliseconds: 60_000,
  memory: 1024 * 1024 * 1024,
  idleMs: 60_000,
}

/** Reads documents in its own threads, with limits on time and memory. */
export class DocumentHost implements DocumentReader {
  private readonly threads: WatchedThreads<DocumentThread>

  constructor(limits = documentLimits) {
    const url = threadUrl("engine/net/documents/document-thread.ts")
    this.threads = new WatchedThreads(url, limits, exceeded)
  }

  /** Serves a worker over its message port. */
  serve(port: MessagePort): () => void {
    return serve<DocumentReader>(port, {
      read: async (request, signal) => {
        const page = await this.read(request, signal)
        return transfer(page, [page.html.buffer])
      },
    })
  }

  /** Returns the document as a page. @throws Aborted if the host is stopped meanwhile */
  read({ tenant, ...source }: DocumentRequest, signal: AbortSignal): Promise<ReadPage> {
    return this.threads.do(tenant, (calls) => calls.read(source, signal), signal)
  }

  /** Returns the rows of a workbook in the format of `rowsText`. */
  rows({ tenant, ...source }: DocumentRequest, signal: AbortSignal): Promise<string> {
    return this.threads.do(tenant, (calls) => calls.rows(source), signal)
  }

  /** Returns the matches of picked fields on a page. */
  picked(
    { tenant, ...source }: PickedSource & { tenant: Tenant },
    signal: AbortSignal,
  ): Promise<Picked> {
    return this.threads.do(tenant, (calls) => calls.picked(source), signal)
  }

  /** Stops for good: running and waiting reads fail at once. */
  stop(): void {
    this.threads.stop(new Aborted("The service is shutting down: the document was not read."))
  }
}

const exceeded = (what: string) =>
  Object.assign(new Error(`The document takes ${what} to read.`), {
    code: "too_large",
  })

let here: DocumentHost | undefined

/** A host for runs without a service. */
export function documentsHere(): DocumentHost {
  here ??= new DocumentHost()
  return here
}
