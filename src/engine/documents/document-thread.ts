import { serve, transfer } from "../../base/rpc.ts"
import { readDocument } from "../../extract/documents/index.ts"
import { standBack } from "../workers/thread-time.ts"
import type { DocumentReader } from "./reader.ts"

/** The thread that reads documents, one after the other. */
export type DocumentThread = Pick<DocumentReader, "read">

declare const self: Worker

standBack()
serve<DocumentThread>(self, {
  async read(source) {
    const { html, facts } = await readDocument(source)
    const bytes = new TextEncoder().encode(html)
    return transfer({ html: bytes, facts }, [bytes.buffer])
  },
})
