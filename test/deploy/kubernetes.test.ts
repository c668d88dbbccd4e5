import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const folder = join(root, "deploy/kubernetes")
// biome-ignore lint/suspicious/noExplicitAny: manifests are read as they are written
type Manifest = any

const read = (name: string): Manifest => Bun.YAML.parse(readFileSync(join(folder, name), "utf8"))
const kustomization = read("kustomization.yaml")
const pod = read("deployment.yaml").spec.template.spec

describe("the manifests", () => {
  test("are all listed", () => {
    const files = readdirSync(folder).filter((name) => name !== "kustomization.yaml")
    expect(kustomization.resources.toSorted()).toEqual(files.sort())
  })

  test("name settings that exist, and keys of the guide's secret", () => {
    const settings = readFileSync(join(root, "src/config/settings.ts"), "utf8")
    const [, command] = /create secret generic trawl \\\n([\s\S]*?)\nkubectl/.exec(
      readFileSync(join(root, "docs/guide/operate/deploy.md"), "utf8"),
    )!
    const keys = [...command!.matchAll(/--from-literal=([\w.]+)=/g)].map(([, key]) => key!)
    const [container] = pod.containers
    const names = container.env.map(({ name }: Manifest) => name)
    const literals: string[] = kustomization.configMapGenerator[0].literals
    for (const name of [...names, ...literals.map((literal) => literal.split("=")[0])]) {
      expect(settings).toContain(`"${name}"`)
    }
    const fromSecret = container.env.map(({ valueFrom }: Manifest) => valueFrom.secretKeyRef.key)
    const { items } = pod.volumes.find(({ secret }: Manifest) => secret).secret
    const used = [...fromSecret, ...items.map(({ key }: Manifest) => key)]
    expect(used.toSorted()).toEqual(keys.sort())
  })

  test("give every container the least it needs, and time to stop", () => {
    for (const { securityContext } of [...pod.initContainers, ...pod.containers]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      })
    }
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30)
    expect(pod.containers[0].resources.limits.memory).toBe("4Gi")
  })

  test.skipIf(!Bun.which("kubectl"))(
    "fit together when they are rendered",
    () => {
      const { success, stdout, stderr } = Bun.spawnSync(["kubectl", "kustomize", folder])
      expect([success, stderr.toString()]).toEqual([true, ""])
      const rendered: Manifest[] = stdout
        .toString()
        .split(/^---$/m)
        .map((text) => Bun.YAML.parse(text))
      const byKind = Object.fromEntries(rendered.map((manifest) => [manifest.kind, manifest]))
      expect(Object.keys(byKind).sort()).toEqual([
        "ConfigMap",
        "Deployment",
        "PodDisruptionBudget",
        "Service",
        "ServiceMonitor",
      ])
      const { Deployment, Service, PodDisruptionBudget, ServiceMonitor, ConfigMap } = byKind
      const { template, selector, replicas } = Deployment.spec
      const labels = template.metadata.labels
      expect(labels).toMatchObject({ "app.kubernetes.io/name": "trawl" })
      expect(selector.matchLabels).toEqual(labels)
      expect(Service.spec.selector).toEqual(labels)
      expect(PodDisruptionBudget.spec.selector.matchLabels).toEqual(labels)
      // One process must remain when a node is drained.
      expect(replicas).toBeGreaterThan(PodDisruptionBudget.spec.minAvailable)
      expect(ServiceMonitor.spec.selector.matchLabels).toEqual(Service.metadata.labels)
      expect(ServiceMonitor.spec.endpoints[0].port).toBe(Service.spec.ports[0].name)
      const [container] = template.spec.containers
      expect(container.envFrom[0].configMapRef.name).toBe(ConfigMap.metadata.name)
      expect(container.ports[0].name).toBe(Service.spec.ports[0].targetPort)
      for (const { name, image } of [...template.spec.initContainers, container]) {
        expect([name, image]).toEqual([name, expect.stringMatching(/^ghcr\.io\/.*\/trawl:\d/)])
      }
      const probes = ["startupProbe", "livenessProbe", "readinessProbe"].map(
        (probe) => container[probe].httpGet,
      )
      expect(probes).toEqual([
        { path: "/healthz", port: "http" },
        { path: "/healthz", port: "http" },
        { path: "/readyz", port: "http" },
      ])
      const volumes = template.spec.volumes.map(({ name }: Manifest) => name)
      for (const { volumeMounts } of [...template.spec.initContainers, container]) {
        for (const { name } of volumeMounts) expect(volumes).toContain(name)
      }
    },
    60_000,
  )
})

describe("the seccomp profile", () => {
  const profile = JSON.parse(readFileSync(join(root, "deploy/docker/seccomp.json"), "utf8"))
  const allowed: string[] = profile.syscalls.flatMap(({ names }: { names: string[] }) => names)

  test("allows Chrome's namespaces and refuses what it does not list", () => {
    expect(profile.defaultAction).toBe("SCMP_ACT_ERRNO")
    for (const { action } of profile.syscalls) expect(action).toBe("SCMP_ACT_ALLOW")
    expect(allowed).toEqual(
      expect.arrayContaining(["clone", "clone3", "unshare", "setns", "chroot"]),
    )
    expect(new Set(allowed).size).toBe(allowed.length)
  })

  test("refuses changes of the kernel, mounts, the clock, keys or other processes", () => {
    const refused = ["mount", "umount2", "pivot_root", "ptrace", "bpf", "init_module", "kexec_load"]
    refused.push("keyctl", "settimeofday", "process_vm_writev", "open_by_handle_at", "reboot")
    refused.push("io_uring_setup", "userfaultfd", "perf_event_open", "personality")
    expect(allowed.filter((name) => refused.includes(name))).toEqual([])
  })

  test("is used by the container and the pods", () => {
    const compose = Bun.YAML.parse(
      readFileSync(join(root, "deploy/docker/compose.yaml"), "utf8"),
    ) as Manifest
    expect(compose.services.trawl.security_opt).toContain("seccomp:seccomp.json")
    expect(pod.securityContext.seccompProfile.type).toBe("Localhost")
  })
})
