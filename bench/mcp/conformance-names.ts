/**
 * A proxy between the conformance suite and a service. It replaces the names of the suite's example
 * server with ours, so that the suite's scenarios of calls, resources and prompts test our
 * responses: docs/mcp.md, Conformance.
 *
 *     bun bench/mcp/conformance-names.ts http://127.0.0.1:8080/api/mcp 8090 https://example.com/
 */
const [service = "http://127.0.0.1:8080/api/mcp", port = "8090", page = "https://example.com/"] =
  process.argv.slice(2)

const pages = [1, 2, 3, 4].map((index) => `${page}?${index}`)
const scraper = "url-to-markdown-scraper"
const tools: Record<string, [name: string, input: object]> = {
  test_simple_text: [scraper, { urls: [page] }],
  test_error_handling: [scraper, {}],
  test_tool_with_progress: [scraper, { urls: pages }],
  test_image_content: [scraper, { urls: [page], formats: ["screenshot"] }],
}
const prompts: Record<
  string,
  (provided: Record<string, string>) => [name: string, provided: object]
> = {
  test_simple_prompt: () => ["read_page", { url: page }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => ["extract_fields", { urls: arg1, fields: arg2 }],
}

interface Message {
  method: string
  params?: { name?: string; uri?: string; arguments?: object }
}

function named(message: Message): Message {
  const { method, params = {} } = message
  const { name = "", uri, arguments: provided = {} } = params
  const ours =
    method === "tools/call"
      ? tools[name]
      : method === "prompts/get"
        ? prompts[name]?.(provided as Record<string, string>)
        : undefined
  if (ours) return { ...message, params: { ...params, name: ours[0], arguments: ours[1] } }
  if (uri !== "test://static-text") return message
  return { ...message, params: { ...params, uri: "trawl://docs/llms" } }
}

Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  idleTimeout: 120,
  async fetch({ method, headers: provided, body }) {
    const headers = new Headers(provided)
    for (const name of ["host", "content-length"]) headers.delete(name)
    headers.set("accept-encoding", "identity")
    const message = body ? JSON.stringify(named(await new Response(body).json())) : undefined
    return fetch(service, { method, headers, ...(message !== undefined && { body: message }) })
  },
})
