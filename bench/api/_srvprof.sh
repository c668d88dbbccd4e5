cd /work/main
rm -rf /tmp/prof /tmp/pd; mkdir /tmp/pd
bun --cpu-prof-md --preload /tmp/exit.ts --cpu-prof-dir=/tmp/prof bench/api/server.ts /tmp/pd > /tmp/pd.out 2>/dev/null &
sleep 2.5
P=$(pgrep -f "bench/api/server.ts /tmp/pd" | head -1)
PORT=$(grep -o '"port":[0-9]*' /tmp/pd.out | cut -d: -f2); KEY=$(grep -o 'trawl_live_[a-z0-9]*' /tmp/pd.out); RUN=$(grep -o 'run_[a-z0-9]*' /tmp/pd.out)
A=$(awk '{print $14+$15}' /proc/$P/stat)
wrk -t1 -c64 -d5s -H "Authorization: Bearer $KEY" http://127.0.0.1:$PORT/api/v1/runs/$RUN | tee /tmp/w | grep -E "requests in|Requests/sec"
B=$(awk '{print $14+$15}' /proc/$P/stat)
N=$(grep -o '[0-9]* requests in' /tmp/w | cut -d' ' -f1)
echo "cpu us per request: $(( (B-A)*10000/N ))"
sleep 4
