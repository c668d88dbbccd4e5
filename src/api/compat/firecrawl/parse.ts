import { FairGate, TooManyWaiting } from "../../../base/fair-gate.ts"
import { maxDocumentBytes } from "../../../engine/net/documents/as-page.ts"
import { Upload, uploadUrl } from "../../../engine/net/files/uploads.ts"
import { newId } from "../../../store/db/ids.ts"
import { itemBodies } from "../../../store/runs/items.ts"
import { isOver } from "../../../store/runs/runs.ts"
import { parseJsonField, readBytes } from "../../http/body.ts"
import { ApiError } from "../../http/errors.ts"
import type { Call } from "../../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { runnerOf, startRun } from "../common/account-run.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { errorOf, failureOf, goodItem, type Item } from "../common/run-now.ts"
import { pageSlug } from "./calls.ts"
import { documentOf } from "./document.ts"
import { callerOf } from "./extraction.ts"
import { type Json, pageOptions, requireNone } from "./options.ts"

/** Maximum bytes of the form without the file. */
const formBytes = 1024 * 1024
const withinMs = 120_000
const maxNameLength = 200

/** Options that apply only to web pages. */
const ofPages = ["waitFor", "mobile", "actions", "location", "headers", "maxAge", "uploadRef"]
const pageForms = ["screenshot", "changeTracking", "branding"]

/** Uploads are held in memory until they are stored. */
const uploads = new FairGate({ slots: 8, slotsOfTenant: 2, maxWaiting: 20 })

/** Reads an uploaded document as a page and waits for the result. */
export function parse(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts & ResultParts,
): Work {
  return async (call) => {
    const { accountId } = await runnerOf(service, call)
    const id = newId("run")
    const upload = new Upload(service.files, id)
    try {
      const { run, url, name, options } = await startParse(service, call, { id, upload, accountId })
      const { signal } = call.request
      const ended = await service.runs.wait(run.id, options.waitMs ?? 0, signal)
      if (!ended || !isOver(ended.status)) {
        await service.runs.abort(run.id)
        throw new ApiError(408, `"${name}" could not be read within ${options.waitMs} ms.`)
      }
      const [item] = await itemsOf(service, ended.n)
      if (!item && ended.error_message) {
        throw failureOf({ code: ended.error_code ?? "failed", message: ended.error_message })
      }
      const error = errorOf(item)
      if (error) throw failureOf({ ...error, message: error.message.replaceAll(url, name) })
      const document = documentOf(goodItem(item), options)
      const metadata = { ...document.metadata, sourceURL: name, url: name }
      return { success: true, data: { ...document, metadata } }
    } finally {
      await upload.remove()
    }
  }
}

/** Stores the upload and starts the run that reads it. @throws ApiError */
async function startParse(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
  call: Call,
  { id, upload, accountId }: { id: string; upload: Upload; accountId: string },
) {
  const leave = await uploads.take({ id: accountId }, call.request.signal).catch((error) => {
    if (error instanceof TooManyWaiting) throw new ApiError(429, error.message)
    throw error
  })
  try {
    const { file, options: written } = await formOf(call)
    requireNone(written, ofPages, " with an uploaded document")
    const options = pageOptions(written, callerOf(service, call))
    const form = pageForms.find((name) => (options.forms as string[]).includes(name))
    if (form) throw notOffered(`The format "${form}" with an uploaded document`)
    const { name } = file
    const url = uploadUrl(id, file)
    const before = () => upload.put(file.bytes)
    const input = { ...options.input, urls: [url] }
    const run = await startRun(service, call, pageSlug, input, { id, before })
    return { run, url, name, options }
  } finally {
    leave()
  }
}

async function itemsOf(service: CoreParts, n: number): Promise<Item[]> {
  const items: Item[] = []
  for await (const body of itemBodies(service.store.db, n, { limit: 1 })) {
    items.push(JSON.parse(body))
  }
  return items
}

interface UploadedFile {
  name: string
  type: string
  bytes: Uint8Array
}

/** Returns the fields `file` and `options` of a form. @throws ApiError 400, 408, 413, 415 */
async function formOf({ request }: Call): Promise<{ file: UploadedFile; options: Json }> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new ApiError(
      415,
      'The body must be multipart/form-data with the fields "file" and "options".',
    )
  }
  const bytes = await readBytes(request, { max: maxDocumentBytes + formBytes, withinMs })
  const form = await new Response(bytes, { headers: { "content-type": type } })
    .formData()
    .catch(() => {
      throw new ApiError(400, "The body is not valid multipart/form-data.")
    })
  const file = form.get("file")
  if (!(file instanceof Blob))
    throw new ApiError(400, 'The field "file" is required: upload a document.')
  if (file.size === 0)
    throw new ApiError(400, 'The field "file" is empty; upload a document with content.')
  if (file.size > maxDocumentBytes) {
    throw new ApiError(413, `The field "file" is larger than ${maxDocumentBytes} bytes.`)
  }
  const name = ((file as File).name || "document").slice(-maxNameLength)
  return {
    file: { name, type: mediaTypeOf(file.type, name), bytes: await file.bytes() },
    options: optionsOf(form.get("options")),
  }
}

function mediaTypeOf(contentType: string, name: string): string {
  if (contentType !== "" && !/octet-stream/.test(contentType)) return contentType
  return /\.x?html?$/i.test(name) ? "text/html" : "application/octet-stream"
}

/** @throws ApiError 400 */
function optionsOf(text: unknown): Json {
  if (text === null || text === "") return {}
  const options = parseJsonField("options", String(text))
  if (typeof options === "object" && options !== null && !Array.isArray(options)) {
    return options as Json
  }
  throw new ApiError(400, 'The field "options" must be a JSON object.')
}
