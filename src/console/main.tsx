import { render } from "preact"
import { useEffect } from "preact/hooks"
import { Frame } from "./parts/frame.tsx"
import { Link, type PageLocation, usePageLocation } from "./router.tsx"
import { AccountScreen } from "./screens/account.tsx"
import { Bulk } from "./screens/bulk.tsx"
import { Connect } from "./screens/connect.tsx"
import { DatasetScreen } from "./screens/dataset.tsx"
import { DatasetDiff } from "./screens/dataset-diff.tsx"
import { Datasets } from "./screens/datasets.tsx"
import { Home } from "./screens/home.tsx"
import { Keys } from "./screens/keys.tsx"
import { MonitorScreen } from "./screens/monitor.tsx"
import { Monitors } from "./screens/monitors.tsx"
import { NewSchedule } from "./screens/new-schedule.tsx"
import { NotificationScreen } from "./screens/notification.tsx"
import { Notifications } from "./screens/notifications.tsx"
import { Operate } from "./screens/operate.tsx"
import { OperateAccounts } from "./screens/operate-accounts.tsx"
import { OperateLog } from "./screens/operate-log.tsx"
import { OperateScrapers } from "./screens/operate-scrapers.tsx"
import { OperateSettings } from "./screens/operate-settings.tsx"
import { Recipes } from "./screens/recipes.tsx"
import { RunScreen } from "./screens/run.tsx"
import { Runs } from "./screens/runs.tsx"
import { ScheduleScreen } from "./screens/schedule.tsx"
import { Schedules } from "./screens/schedules.tsx"
import { Scraper } from "./screens/scraper.tsx"
import { Scrapers } from "./screens/scrapers.tsx"
import { Shared } from "./screens/shared.tsx"
import { Usage } from "./screens/usage.tsx"

function Screen({ place }: { place: PageLocation }) {
  const [, slug] = /^\/scrapers\/([\w-]+)$/.exec(place.path) ?? []
  const [, scheduled] = /^\/schedules\/new\/([\w-]+)$/.exec(place.path) ?? []
  const [, schedule] = /^\/schedules\/(sch_[\w-]+)$/.exec(place.path) ?? []
  const [, monitor] = /^\/monitors\/(sch_[\w-]+)$/.exec(place.path) ?? []
  const [, channel] = /^\/notifications\/((?:ntf|whk)_[\w-]+)$/.exec(place.path) ?? []
  const [, run] = /^\/runs\/(run_[\w-]+)$/.exec(place.path) ?? []
  const [, dataset] = /^\/datasets\/(ds_[\w-]+)$/.exec(place.path) ?? []
  const [, compared] = /^\/datasets\/(ds_[\w-]+)\/diff$/.exec(place.path) ?? []
  const [, shared] = /^\/shared\/(ds_[\w-]+)$/.exec(place.path) ?? []
  if (shared) return <Shared key={shared} id={shared} place={place} />
  if (place.path === "/") return <Home place={place} />
  if (place.path === "/scrapers") return <Scrapers place={place} />
  if (place.path === "/runs") return <Runs place={place} />
  if (place.path === "/bulk") return <Bulk place={place} />
  if (place.path === "/recipes") return <Recipes />
  if (place.path === "/datasets") return <Datasets place={place} />
  if (compared) return <DatasetDiff key={compared} id={compared} place={place} />
  if (dataset) return <DatasetScreen key={dataset} id={dataset} place={place} />
  if (place.path === "/schedules") return <Schedules />
  if (scheduled) return <NewSchedule key={scheduled} slug={scheduled} place={place} />
  if (schedule) return <ScheduleScreen key={schedule} id={schedule} />
  if (place.path === "/monitors") return <Monitors place={place} />
  if (monitor) return <MonitorScreen key={monitor} id={monitor} />
  if (place.path === "/notifications") return <Notifications />
  if (channel) return <NotificationScreen key={channel} id={channel} />
  if (place.path === "/operate") return <Operate />
  if (place.path === "/operate/accounts") return <OperateAccounts place={place} />
  if (place.path === "/operate/scrapers") return <OperateScrapers place={place} />
  if (place.path === "/operate/log") return <OperateLog place={place} />
  if (place.path === "/operate/settings") return <OperateSettings place={place} />
  if (place.path === "/keys") return <Keys />
  if (place.path === "/connect") return <Connect place={place} />
  if (place.path === "/usage") return <Usage place={place} />
  if (place.path === "/account") return <AccountScreen />
  if (run) return <RunScreen key={run} id={run} place={place} />
  if (slug) return <Scraper key={slug} slug={slug} place={place} />
  return <Nowhere />
}

function Nowhere() {
  useEffect(() => {
    document.title = "Not found · Trawl"
  }, [])
  return (
    <>
      <h1>Nothing is here</h1>
      <p>
        <Link to="/">To the front page</Link>
      </p>
    </>
  )
}

function Console() {
  const place = usePageLocation()
  return (
    <Frame place={place}>
      <Screen place={place} />
    </Frame>
  )
}

const app = document.getElementById("app")!
app.replaceChildren()
render(<Console />, app)
