import { createHash, createHmac } from "node:crypto"

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/**
 * Returns the headers that sign a request to an S3-compatible storage (AWS Signature Version 4). Bun's client
 * would add credentials of the server's environment to those of an account.
 */
export function s3Headers(
  request: { method: string; url: URL; body: Uint8Array; at: Date },
  { accessKeyId, secretAccessKey, region }: S3Credentials,
): Record<string, string> {
  const { method, url, body, at } = request
  const time = at.toISOString().replace(/[:-]|\.\d{3}/g, "")
  const day = time.slice(0, 8)
  const bodyHash = createHash("sha256").update(body).digest("hex")
  const names = "host;x-amz-content-sha256;x-amz-date"
  const canonical = [
    method,
    url.pathname,
    "",
    `host:${url.host}`,
    `x-amz-content-sha256:${bodyHash}`,
    `x-amz-date:${time}`,
    "",
    names,
    bodyHash,
  ].join("\n")
  const scope = `${day}/${region}/s3/aws4_request`
  const hash = createHash("sha256").update(canonical).digest("hex")
  const text = ["AWS4-HMAC-SHA256", time, scope, hash].join("\n")
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  const signature = createHmac("sha256", key).update(text).digest("hex")
  return {
    "x-amz-date": time,
    "x-amz-content-sha256": bodyHash,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** The path of an object in a URL, encoded as the signature requires. */
export function s3Path(bucket: string, key: string): string {
  return `/${[bucket, ...key.split("/")].map(encoded).join("/")}`
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
