import about from "../../package.json"

/** Trawl's version, for the command line, the user agent and MCP. */
export const version: string = about.version
