import type { Tenant } from "../../../base/fair-gate.ts"
import type { DocumentFacts, DocumentSource } from "../../../extract/documents/index.ts"

/** A document as the thread that read it sends it: its HTML is moved, not copied. */
export interface ReadPage {
  html: Uint8Array<ArrayBuffer>
  facts: DocumentFacts
}

export interface DocumentRequest extends DocumentSource {
  /** The tenant of the run: tenants share the threads. */
  tenant: Tenant
}

/** Reads documents somewhere else, within limits of time and memory. */
export interface DocumentReader {
  /** The bytes are not moved. @throws an error with the code of an UnreadableDocument */
  read(request: DocumentRequest, signal: AbortSignal): Promise<ReadPage>
}
