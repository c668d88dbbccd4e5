import type { Transport } from "../../net/http/exchange.ts"
import {
  type DestinationOptions,
  type DestinationSecret,
  defaultRegion,
  storageUrl,
} from "./model/options.ts"
import { DestinationError, requestMs } from "./model/sink.ts"
import type { ObjectStorage } from "./objects.ts"
import { type S3Credentials, s3Headers, s3Path } from "./s3-signature.ts"

const maxReason = 300
const noBody = new Uint8Array()

/** Writes objects of an S3-compatible storage through the egress filter. */
export class S3Objects implements ObjectStorage {
  private readonly root: string
  private readonly bucket: string
  private readonly prefix: string
  private readonly credentials: S3Credentials

  constructor(
    private readonly transport: Transport,
    options: DestinationOptions,
    secret: DestinationSecret,
  ) {
    const { bucket = "", region = defaultRegion, path = "" } = options
    const { accessKeyId = "", secretAccessKey = "" } = secret
    this.root = storageUrl(secret, options)
    this.bucket = bucket
    this.prefix = path === "" ? "" : `${path}/`
    this.credentials = { accessKeyId, secretAccessKey, region }
  }

  put(
    name: string,
    body: Uint8Array<ArrayBuffer>,
    type: string,
    signal: AbortSignal,
  ): Promise<void> {
    return this.send("PUT", name, signal, { body, type })
  }

  remove(name: string, signal: AbortSignal): Promise<void> {
    return this.send("DELETE", name, signal)
  }

  private async send(
    method: "PUT" | "DELETE",
    name: string,
    signal: AbortSignal,
    content?: { body: Uint8Array<ArrayBuffer>; type: string },
  ): Promise<void> {
    const url = new URL(this.root)
    url.pathname = s3Path(this.bucket, this.prefix + name)
    const body = content?.body ?? noBody
    const { status, bytes, headers } = await this.transport.send({
      method,
      url: url.href,
      headers: new Headers({
        ...s3Headers({ method, url, body, at: new Date() }, this.credentials),
        ...(content && { "content-type": content.type }),
      }),
      ...(content && { bodyBytes: content.body }),
      maxBytes: 64 * 1024,
      truncate: true,
      timeoutMs: requestMs,
      signal,
    })
    if (status >= 200 && status < 300) return
    const retryAfterSeconds = Number(headers.get("retry-after")) || null
    throw new DestinationError(`The storage responded with ${status}${reasonIn(bytes)}.`, {
      retryAfterSeconds,
    })
  }
}

/** Returns the code and message in a storage's XML error. */
function reasonIn(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  const part = (name: string) =>
    new RegExp(`<${name}>([^<]{1,${maxReason}})</${name}>`).exec(text)?.[1]
  const words = [part("Code"), part("Message")].filter(Boolean).join(": ").replace(/\.$/, "")
  return words === "" ? "" : ` (${words})`
}
