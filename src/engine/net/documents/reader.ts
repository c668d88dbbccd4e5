import type { Tenant } from "../../../base/fair-gate.ts"
import type { DocumentFacts, DocumentSource } from "../../../extract/documents/index.ts"

/** A document from the thread that read it. Its HTML is transferred, not copied. */
export interface ReadPage {
  html: Uint8Array<ArrayBuffer>
  facts: DocumentFacts
}

export interface DocumentRequest extends DocumentSource {
  /** Tenant of the run; tenants share the threads. */
  tenant: Tenant
}

/** Reads documents in another thread, with limits on time and memory. */
export interface DocumentReader {
  /** The bytes are not transferred. @throws Error with the code of an UnreadableDocument */
  read(request: DocumentRequest, signal: AbortSignal): Promise<ReadPage>
}
