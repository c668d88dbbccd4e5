import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../test/free-port.ts"
import { asUnprivilegedUser, crashServer, programs } from "../../test/postgres.ts"

interface Node {
  name: string
  port: number
  restPort: number
  folder: string
}

export interface ReplicatedOptions {
  /** Adds a PgBouncer with transaction pooling before it. */
  pooler?: boolean
}

/** Programs of Debian's packages `patroni`, `etcd-server`, `haproxy` and `pgbouncer`. */
const needed = {
  patroni: "patroni",
  etcd: "etcd-server",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
}

/**
 * Three PostgreSQL servers: a primary and at least one synchronous replica, a common deployment.
 * Patroni elects the primary with etcd, and HAProxy forwards to it, according to Patroni's health
 * checks. A commit is acknowledged once a second server has it; only a server that has all commits
 * is promoted.
 */
export class ReplicatedPostgres {
  private readonly folder = mkdtempSync(join(tmpdir(), "trawl-replicated-"))
  private readonly children: Bun.Subprocess[] = []
  private readonly nodes: Node[]
  private readonly etcdPort = freePort()
  private readonly proxyPort = freePort()
  private readonly poolerPort = freePort()

  private constructor(private readonly options: ReplicatedOptions) {
    this.nodes = ["one", "two", "three"].map((name) => ({
      name,
      port: freePort(),
      restPort: freePort(),
      folder: join(this.folder, name),
    }))
  }

  static async start(options: ReplicatedOptions = {}): Promise<ReplicatedPostgres> {
    const missing = Object.entries(needed).filter(([program]) => !whereIs(program))
    if (!programs) missing.push(["postgres", "postgresql"])
    if (missing.length > 0) {
      const packages = missing.map(([, name]) => name).join(" ")
      throw new Error(`Not installed: ${packages}. As root: apt-get install ${packages}`)
    }
    const cluster = new ReplicatedPostgres(options)
    // PostgreSQL runs as another user than root.
    chmodSync(cluster.folder, 0o777)
    await cluster.startAll()
    return cluster
  }

  /** URL of the database for Trawl. */
  get url(): string {
    return this.options.pooler
      ? `${address(this.poolerPort)}?prepare=false`
      : address(this.proxyPort)
  }

  /** URL that bypasses the pooler. */
  get directUrl(): string {
    return address(this.proxyPort)
  }

  private async startAll(): Promise<void> {
    const client = `http://127.0.0.1:${this.etcdPort}`
    const peer = `http://127.0.0.1:${freePort()}`
    this.run("etcd", [
      ...["--data-dir", join(this.folder, "etcd"), "--name", "etcd"],
      ...["--listen-client-urls", client, "--advertise-client-urls", client],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
      ...["--initial-cluster", `etcd=${peer}`],
    ])
    for (const node of this.nodes) {
      mkdirSync(node.folder)
      chmodSync(node.folder, 0o777)
      // JSON is valid YAML.
      const path = this.file(`${node.name}.yml`, JSON.stringify(this.patroniOf(node)))
      this.run("patroni", [path])
    }
    this.run("haproxy", ["-db", "-f", this.file("haproxy.cfg", this.haproxy())])
    if (this.options.pooler) {
      this.run("pgbouncer", ["-q", this.file("pgbouncer.ini", this.pgbouncer())])
    }
    await this.inStep()
  }

  private patroniOf({ name, port, restPort, folder }: Node) {
    const user = { username: "trawl" }
    return {
      scope: "trawl",
      name,
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
      etcd3: { hosts: [`127.0.0.1:${this.etcdPort}`] },
      bootstrap: {
        dcs: {
          ...{ ttl: 20, loop_wait: 1, retry_timeout: 3 },
          // Do not wait for a crashed server: another has all acknowledged commits.
          ...{ master_start_timeout: 0, primary_start_timeout: 0 },
          // A primary waits for a replica instead of continuing without one.
          ...{ synchronous_mode: true, synchronous_mode_strict: true },
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            parameters: { max_connections: 200, wal_keep_size: "512MB" },
          },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      },
      postgresql: {
        ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` },
        ...{ data_dir: join(folder, "data"), bin_dir: programs, pgpass: join(folder, "pgpass") },
        authentication: { superuser: user, replication: user, rewind: user },
        pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
        parameters: { unix_socket_directories: "" },
      },
    }
  }

  private haproxy(): string {
    const servers = this.nodes.map(
      ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
    )
    return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${this.proxyPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`
  }

  private pgbouncer(): string {
    return `[databases]
* = host=127.0.0.1 port=${this.proxyPort} user=trawl
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${this.poolerPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 40
max_client_conn = 500
server_login_retry = 1
server_connect_timeout = 5
`
  }

  private file(name: string, text: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    return path
  }

  /** Starts a program that ends with this process, however that ends. */
  private run(program: string, args: string[]): void {
    const script = `"$@" & child=$!; cat > /dev/null; kill -TERM $child; wait $child`
    const { env } = process
    const child = Bun.spawn(
      [...asUnprivilegedUser(), "sh", "-c", script, "sh", whereIs(program)!, ...args],
      {
        cwd: this.folder,
        env: { ...env, HOME: this.folder },
        stdin: "pipe",
        stdout: Bun.file(join(this.folder, `${program}-${this.children.length}.log`)),
        stderr: Bun.file(join(this.folder, `${program}-${this.children.length}.log`)),
      },
    )
    this.children.push(child)
  }

  /** Resolves when there is one primary with two replicas that are in sync. */
  async inStep(seconds = 120): Promise<void> {
    for (const end = Date.now() + seconds * 1000; ; await Bun.sleep(250)) {
      const members = await this.members()
      const following = members.filter(
        ({ role, state }) => role !== "leader" && (state === "running" || state === "streaming"),
      )
      const isFollowed = members.some(({ role }) => role === "sync_standby")
      if (this.leaderOf(members) && isFollowed && following.length === 2) return
      if (Date.now() > end)
        throw new Error(`The servers are not in sync: ${JSON.stringify(members)}`)
    }
  }

  private async members(): Promise<{ name: string; role: string; state: string }[]> {
    for (const { restPort } of this.nodes) {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined)
      const body = (await response?.json().catch(() => undefined)) as
        | { members?: { name: string; role: string; state: string }[] }
        | undefined
      if (body?.members?.length === this.nodes.length) return body.members
    }
    return []
  }

  private leaderOf(members: { name: string; role: string; state: string }[]): Node | undefined {
    const leader = members.find(({ role, state }) => role === "leader" && state === "running")
    return this.nodes.find(({ name }) => name === leader?.name)
  }

  /** Kills all processes of the primary with SIGKILL. Returns its name. */
  async killPrimary(): Promise<string> {
    const primary = this.leaderOf(await this.members())
    if (!primary) throw new Error("There is no primary.")
    await crashServer(join(primary.folder, "data"))
    return primary.name
  }

  async stop(): Promise<void> {
    const [etcd, ...others] = this.children
    // Patroni needs etcd until it ends.
    await Promise.all(others.map(ended))
    if (etcd) await ended(etcd)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function ended(child: Bun.Subprocess): Promise<void> {
  ;(child.stdin as Bun.FileSink).end()
  await Promise.race([child.exited, Bun.sleep(15_000)])
  child.kill("SIGKILL")
}

const address = (port: number) => `postgres://trawl@127.0.0.1:${port}/postgres`

function whereIs(program: string): string | null {
  return Bun.which(program, { PATH: `${process.env.PATH}:/usr/sbin:/sbin` })
}
