import { isAbsolute, relative, resolve } from "node:path"
import { type Config, ConfigError } from "../config/config.ts"
import { DataRefused } from "../store/db/refused.ts"
import { databasePath } from "../store/store.ts"

/** The message of a failure: one or two sentences without a stack trace. */
export interface Failure {
  message: string
  /** The exit code: 2 for wrong usage or settings, 1 for failed work. */
  code: 1 | 2
}

type Settings = Pick<Config, "host" | "port" | "dataDir" | "logLevel">

/** Returns the failure of an error. `settings` are undefined if they could not be read. */
export function failureOf(error: unknown, settings?: Settings): Failure {
  if (error instanceof ConfigError || error instanceof DataRefused) {
    return { message: error.message, code: 2 }
  }
  const known = settings && knownTrouble(error as SystemError, settings)
  if (known) return { message: known, code: 2 }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (settings?.logLevel === "debug") return { message: stack ?? message, code: 1 }
  const line = message.trim().replace(/\s*\n\s*/g, " ")
  return { message: `Trawl failed: ${line} (set TRAWL_LOG_LEVEL=debug for details)`, code: 1 }
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
    return `Trawl must not listen on port ${port} of ${host}. Set TRAWL_PORT to a port above 1023, and use a reverse proxy.`
  }
  // A host name that cannot be resolved may also be reported as a port in use.
  if (code === "EADDRINUSE" && /^(?:localhost|[\d.]+|.*:.*)$/.test(host)) {
    return `Port ${port} of ${host} is in use. Stop the process that uses it, or set TRAWL_PORT to another port (0 selects a free one).`
  }
  return `Trawl cannot listen on ${host}, port ${port}. Set TRAWL_HOST to an IP address of this machine, for example 127.0.0.1 or 0.0.0.0, and TRAWL_PORT to a free port.`
}

const otherFolder = "set TRAWL_DATA_DIR to another folder"

function databaseTrouble(error: Error, code: string, { dataDir }: Settings): string | undefined {
  const path = databasePath(dataDir)
  const other = /^unable to open database: (.+?)(?:\.part)?$/.exec(error.message)?.[1]
  if (other) return `${other} cannot be written; check its folder and permissions.`
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    return `The database ${path} is damaged (${error.message}); restore a backup with \`trawl restore\`, or ${otherFolder}.`
  }
  if (/^SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)/.test(code)) {
    return `The database ${path} cannot be opened for writing (${error.message}); give this user write permission, or ${otherFolder}.`
  }
  if (code.startsWith("SQLITE_FULL")) return fullDisk(dataDir)
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) {
    return `The database ${path} is locked by another process; stop it, or ${otherFolder}.`
  }
  if (code.startsWith("SQLITE_IOERR")) {
    return `The disk of ${path} fails (${error.message}); ${otherFolder} on another.`
  }
}

const fullDisk = (path: string) =>
  `The disk of ${path} is full. Free some space, or set TRAWL_DATA_DIR to a folder on another disk.`

const fileReasons: Record<string, string> = {
  EACCES: "this user has no write permission",
  EPERM: "this user has no write permission",
  EROFS: "the file system is read-only",
  ENOENT: "the folder does not exist",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "it is a file",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
}

function fileTrouble(path: string, reason: string, { dataDir }: Settings): string {
  const between = relative(resolve(path), resolve(dataDir))
  // The path is the data folder, one of its parents, or inside it.
  const isData = !isAbsolute(between) && /^(?:(?!\.\.).*|\.\.(?:\/\.\.)*)$/.test(between)
  if (!isData) return `${path} cannot be used: ${reason}.`
  return `The data folder ${resolve(dataDir)} cannot be used: ${reason}; ${otherFolder}.`
}
