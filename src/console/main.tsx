import { render, type VNode } from "preact"
import { useEffect } from "preact/hooks"
import { Frame } from "./parts/frame.tsx"
import { Link, type PageLocation, usePageLocation } from "./router.tsx"
import { matchRoute, type RoutePath } from "./routes.ts"
import { AccountScreen } from "./screens/account.tsx"
import { Bulk } from "./screens/bulk.tsx"
import { Connect } from "./screens/connect.tsx"
import { DatasetScreen } from "./screens/dataset.tsx"
import { DatasetDiff } from "./screens/dataset-diff.tsx"
import { Datasets } from "./screens/datasets.tsx"
import { DestinationScreen } from "./screens/destination.tsx"
import { Destinations } from "./screens/destinations.tsx"
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
import { Search } from "./screens/search/search.tsx"
import { Sessions } from "./screens/sessions.tsx"
import { Shared } from "./screens/shared.tsx"
import { Usage } from "./screens/usage.tsx"

interface ScreenProps {
  id: string
  place: PageLocation
}

const screens: Record<RoutePath, (props: ScreenProps) => VNode> = {
  "/": ({ place }) => <Home place={place} />,
  "/scrapers": ({ place }) => <Scrapers place={place} />,
  "/scrapers/:id": ({ id, place }) => <Scraper slug={id} place={place} />,
  "/search": ({ place }) => <Search place={place} />,
  "/runs": ({ place }) => <Runs place={place} />,
  "/runs/:id": ({ id, place }) => <RunScreen id={id} place={place} />,
  "/datasets": ({ place }) => <Datasets place={place} />,
  "/datasets/:id": ({ id, place }) => <DatasetScreen id={id} place={place} />,
  "/datasets/:id/diff": ({ id, place }) => <DatasetDiff id={id} place={place} />,
  "/shared/:id": ({ id, place }) => <Shared id={id} place={place} />,
  "/bulk": ({ place }) => <Bulk place={place} />,
  "/recipes": () => <Recipes />,
  "/connect": ({ place }) => <Connect place={place} />,
  "/schedules": () => <Schedules />,
  "/schedules/:id": ({ id }) => <ScheduleScreen id={id} />,
  "/schedules/new/:id": ({ id, place }) => <NewSchedule slug={id} place={place} />,
  "/monitors": ({ place }) => <Monitors place={place} />,
  "/monitors/:id": ({ id }) => <MonitorScreen id={id} />,
  "/destinations": () => <Destinations />,
  "/destinations/:id": ({ id }) => <DestinationScreen id={id} />,
  "/sessions": () => <Sessions />,
  "/notifications": () => <Notifications />,
  "/notifications/:id": ({ id }) => <NotificationScreen id={id} />,
  "/keys": () => <Keys />,
  "/usage": ({ place }) => <Usage place={place} />,
  "/account": () => <AccountScreen />,
  "/operate": () => <Operate />,
  "/operate/accounts": ({ place }) => <OperateAccounts place={place} />,
  "/operate/scrapers": ({ place }) => <OperateScrapers place={place} />,
  "/operate/settings": ({ place }) => <OperateSettings place={place} />,
  "/operate/log": ({ place }) => <OperateLog place={place} />,
}

function Screen({ place }: { place: PageLocation }) {
  const match = matchRoute(place.path)
  if (!match) return <NotFound />
  const Matched = screens[match.route.path]
  return <Matched key={match.id} id={match.id} place={place} />
}

function NotFound() {
  useEffect(() => {
    document.title = "Not found · Trawl"
  }, [])
  return (
    <>
      <h1>Page not found</h1>
      <p>
        <Link to="/">Go to the home page</Link>
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
