/** The protocol's library, loaded at the first message, because most services receive none. */
export { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
export { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js"
export { ToolCall } from "./call-tool.ts"
export { messageError } from "./message-check.ts"
export { mcpServer } from "./server.ts"
