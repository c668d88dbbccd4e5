import { serve, transfer } from "../../../base/rpc.ts"
import { lowerPriority } from "../../../base/thread-time.ts"
import { type DocumentSource, readDocument } from "../../../extract/documents/index.ts"
import { characterMap } from "./character-maps.ts"
import { type Picked, type PickedSource, readPicked } from "./picked-fields.ts"
import type { ReadPage } from "./reader.ts"
import { rowsText } from "./rows-text.ts"

/** The thread that reads documents, one after the other. */
export interface DocumentThread {
  read(source: DocumentSource, signal: AbortSignal): Promise<ReadPage>
  rows(source: DocumentSource): Promise<string>
  picked(source: PickedSource): Picked
}

declare const self: Worker

lowerPriority()
serve<DocumentThread>(self, {
  async read(source) {
    const { html, facts } = await readDocument(source, { characterMap })
    const bytes = new TextEncoder().encode(html)
    return transfer({ html: bytes, facts }, [bytes.buffer])
  },
  async rows(source) {
    const { html } = await readDocument(source, { characterMap })
    return rowsText(html)
  },
  picked: readPicked,
})
