import { NotFound } from "../../../catalogue/kit/index.ts"
import type { Transport, WireRequest, WireResponse } from "../http/exchange.ts"
import type { FileStorages } from "./storages.ts"
import { Upload, uploadPrefix } from "./uploads.ts"

/** Returns the stored upload for its URL in a run, and passes on all other requests. */
export class UploadTransport implements Transport {
  private readonly prefix: string

  constructor(
    private readonly network: Transport,
    private readonly storages: FileStorages,
    private readonly runId: string,
  ) {
    this.prefix = uploadPrefix(runId)
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const { url, maxBytes } = request
    if (!url.startsWith(this.prefix)) return this.network.send(request)
    const bytes = await new Upload(this.storages, this.runId).read(maxBytes)
    if (!bytes) throw new NotFound("The uploaded document has been removed. Upload it again.")
    const type = new URL(url).searchParams.get("type") ?? "application/octet-stream"
    const headers = new Headers({ "content-type": type })
    return { status: 200, headers, bytes, via: "http", firstByte: null }
  }
}
