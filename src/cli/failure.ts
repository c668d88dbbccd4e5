import { isAbsolute, relative, resolve } from "node:path"
import { type Config, ConfigError } from "../config.ts"
import { DataRefused } from "../store/refused.ts"
import { databasePath } from "../store/store.ts"

/** What is told of a failure: one sentence or two, never the code that it came from. */
export interface Failure {
  message: string
  /** 2: something has to be set right first. 1: the work itself failed. */
  code: 1 | 2
}

type Settings = Pick<Config, "host" | "port" | "dataDir" | "logLevel">

/** `settings`: where they could be read, to name what is at fault. */
export function failureOf(error: unknown, settings?: Settings): Failure {
  if (error instanceof ConfigError || error instanceof DataRefused) {
    return { message: error.message, code: 2 }
  }
  const known = settings && knownTrouble(error as SystemError, settings)
  if (known) return { message: known, code: 2 }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (settings?.logLevel === "debug") return { message: stack ?? message, code: 1 }
  const line = message.trim().replace(/\s*\n\s*/g, " ")
  return { message: `Trawl failed: ${line} (TRAWL_LOG_LEVEL=debug tells where)`, code: 1 }
}

type SystemError = Error & { code?: string; syscall?: string; path?: string }

function knownTrouble(error: SystemError, settings: Settings): string | undefined {
  const code = error?.code
  if (typeof code !== "string") return undefined
  if (error.syscall === "listen") return listenTrouble(code, settings)
  if (code.startsWith("SQLITE_")) return databaseTrouble(error, code, settings)
  const reason = fileReasons[code]
  return reason && error.path ? fileTrouble(error.path, reason, settings) : undefined
}

function listenTrouble(code: string, { host, port }: Settings): string {
  if (code === "EACCES" || code === "EPERM") {
    return `Trawl may not listen on port ${port} of ${host}; set TRAWL_PORT to one above 1023, and put a reverse proxy in front.`
  }
  // A name that cannot be resolved may be told as a port in use, too.
  if (code === "EADDRINUSE" && /^(?:localhost|[\d.]+|.*:.*)$/.test(host)) {
    return `Port ${port} of ${host} is in use; end what listens there, or set TRAWL_PORT to another port (0 takes a free one).`
  }
  return `Trawl cannot listen on ${host}, port ${port}; set TRAWL_HOST to an address of this machine, as 127.0.0.1 or 0.0.0.0, and TRAWL_PORT to a port that is free.`
}

const otherFolder = "set TRAWL_DATA_DIR to another folder"

function databaseTrouble(error: Error, code: string, { dataDir }: Settings): string | undefined {
  const path = databasePath(dataDir)
  const other = /^unable to open database: (.+?)(?:\.part)?$/.exec(error.message)?.[1]
  if (other) return `${other} cannot be written; see to its folder and its permissions.`
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    return `The database ${path} is damaged (${error.message}); put a backup in its place, or ${otherFolder}.`
  }
  if (/^SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)/.test(code)) {
    return `The database ${path} cannot be opened for writing (${error.message}); give this user the right to it, or ${otherFolder}.`
  }
  if (code.startsWith("SQLITE_FULL")) return fullDisk(dataDir)
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) {
    return `The database ${path} is held by another process; end that one, or ${otherFolder}.`
  }
  if (code.startsWith("SQLITE_IOERR")) {
    return `The disk of ${path} fails (${error.message}); ${otherFolder} on another.`
  }
}

const fullDisk = (path: string) =>
  `The disk of ${path} is full; make room, or set TRAWL_DATA_DIR to a folder on another.`

const fileReasons: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "it is a file",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
}

function fileTrouble(path: string, reason: string, { dataDir }: Settings): string {
  const fetchMethod = relative(resolve(path), resolve(dataDir))
  // What failed is the data folder, one above it, or lies in it.
  const isData = !isAbsolute(fetchMethod) && /^(?:(?!\.\.).*|\.\.(?:\/\.\.)*)$/.test(fetchMethod)
  if (!isData) return `${path} cannot be used: ${reason}.`
  return `The data folder ${resolve(dataDir)} cannot be used: ${reason}; ${otherFolder}.`
}
