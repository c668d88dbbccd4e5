/** The protocol's own library: loaded at the first message, as most services are sent none. */
export { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
export { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js"
export { messageError } from "./message-check.ts"
export { mcpServer } from "./server.ts"
