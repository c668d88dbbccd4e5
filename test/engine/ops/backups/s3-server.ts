/**
 * A minimal S3 server on this machine with what backups and files need: objects by key, and the
 * signatures of requests.
 */
export function startS3() {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>()
  const parts = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>()
  const unsigned: string[] = []
  let multipart = 0
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: 1e9,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const signature = request.headers.get("authorization") ?? ""
      const scope =
        /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/[\w-]+\/s3\/aws4_request, *SignedHeaders=[\w;-]*host[\w;-]*, *Signature=[\da-f]{64}$/
      if (!scope.test(signature)) {
        unsigned.push(`${request.method} ${pathname}`)
        return xml("<Error><Code>AccessDenied</Code><Message>no</Message></Error>", 403)
      }
      const [, bucket, ...path] = decodeURIComponent(pathname).split("/")
      if (bucket !== "saved") {
        return xml("<Error><Code>NoSuchBucket</Code><Message>no bucket</Message></Error>", 404)
      }
      const key = path.join("/")
      const upload = searchParams.get("uploadId")
      switch (request.method) {
        case "GET":
          if (key === "") return xml(listing(objects, searchParams))
          return objects.has(key) ? part(objects.get(key)!, request) : missing()
        case "HEAD": {
          const found = objects.get(key)
          if (!found) return new Response(null, { status: 404 })
          return new Response(found, { headers: { etag: '"1"' } })
        }
        case "PUT": {
          const bytes = await request.bytes()
          if (upload) parts.get(upload)!.set(Number(searchParams.get("partNumber")), bytes)
          else objects.set(key, bytes)
          return new Response(null, { headers: { etag: '"1"' } })
        }
        case "POST":
          if (upload) {
            const sorted = [...parts.get(upload)!].sort(([a], [b]) => a - b)
            objects.set(key, Buffer.concat(sorted.map(([, bytes]) => bytes)))
            return xml("<CompleteMultipartUploadResult/>")
          }
          parts.set(`upload${++multipart}`, new Map())
          return xml(
            `<InitiateMultipartUploadResult><UploadId>upload${multipart}</UploadId></InitiateMultipartUploadResult>`,
          )
        case "DELETE":
          objects.delete(key)
          return new Response(null, { status: 204 })
        default:
          return missing()
      }
    },
  })
  const env = {
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_ENDPOINT_URL: `http://127.0.0.1:${server.port}`,
  }
  return { objects, unsigned, env, uploads: () => multipart, stop: () => server.stop(true) }
}

const xml = (body: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    status,
    headers: { "content-type": "application/xml" },
  })

const missing = () => xml("<Error><Code>NoSuchKey</Code><Message>none</Message></Error>", 404)

function part(bytes: Uint8Array<ArrayBuffer>, { headers }: Request): Response {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.get("range") ?? "") ?? []
  if (from === undefined) return new Response(bytes)
  const end = to ? Number(to) + 1 : undefined
  return new Response(bytes.slice(Number(from), end), { status: 206 })
}

/** Two objects a page, so that clients have to read further pages of a list. */
function listing(
  objects: Map<string, Uint8Array<ArrayBuffer>>,
  requested: URLSearchParams,
): string {
  const after = requested.get("start-after") ?? ""
  const found = [...objects]
    .filter(([key]) => key.startsWith(requested.get("prefix") ?? "") && key > after)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const visible = found.slice(0, 2)
  const contents = visible.map(
    ([key, bytes]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`,
  )
  return `<ListBucketResult><Name>saved</Name><KeyCount>${visible.length}</KeyCount><IsTruncated>${found.length > 2}</IsTruncated>${contents.join("")}</ListBucketResult>`
}
