"""words.py ROOT: standard words, one commit a row. Each row: subject, [(from path fragment, to)] for file names, [(scope regex, regex, repl)]."""
import os,re,subprocess,sys
ROOT=sys.argv[1]; os.chdir(ROOT)
ALL=r'^(pty|protocol|server|tests)/.*\.(hpp|cpp|md|txt)$|CMakeLists.txt$|^scripts/|README.md$|CONTRIBUTING.md$'
SES=r'^(server/session|tests/(unit|support)/server/session)/'
NET=r'^(server/net|tests/(unit|support)/server/net)/'
SRV=r'^(server|tests/(unit|support)/server)/'
GRID=r'^(pty/screen|tests/(unit|support)/pty/screen)/'
W=lambda a,b,scope=ALL:(scope,r'\b%s\b'%a,b)
ROWS=[
 ('Call what sessions tell the server through SessionDelegate',[('fake_neighbourhood.hpp','fake_session_delegate.hpp'),('neighbourhood.hpp','session_delegate.hpp')],
  [W('FakeNeighbourhood','FakeSessionDelegate'),W('Neighbourhood','SessionDelegate'),W('neighbours_','delegate_',SRV),(SRV,r'\bneighbours\b(?=\(|\.|;|,| =|\{)','delegate'),W('neighbourhood','session_delegate',SES)]),
 ('Call what sessions of a loop share SessionContext',[('workplace.hpp','session_context.hpp'),('workplace.cpp','session_context.cpp')],
  [W('Workplace','SessionContext'),W('workplace_','context_',SRV),W('workplace','context',SRV),
   (r'^server/session/(session|parking|typing|command_shell|portrait)[\w]*\.(hpp|cpp)$',r'\bwork_(?=[\.,;(\)])',r'context_'),
   (r'^server/session/((parking|typing|command_shell|session)[\w]*|agent/\w+)\.(hpp|cpp)$',r'(?<=SessionContext& )work_\b','context_'),
   (r'^server/session/((parking|typing|command_shell|session)[\w]*|agent/\w+)\.(hpp|cpp)$',r'(?<=SessionContext& )work\b','context'),
   (r'^server/session/((parking|typing|command_shell)[\w]*|agent/\w+)\.(hpp|cpp)$',r'(?<!\w )\bwork(?=\.(loop|settings|delegate|count_|expect_|queue|saving|loading|launcher|others)\b)','context'),
   (r'^server/session/((parking|typing|command_shell)[\w]*|agent/\w+)\.(hpp|cpp)$',r'(?<=[\._])work(?=\.(loop|settings|delegate|count_\w+|expect_\w+|queue)\b)','context'),
   (r'^server/session/parking\.cpp$',r'context_\(work\)','context_(context)'),
   (r'^server/session/command_shell\.cpp$',r'auto& work = place\.work;','auto& context = place.context;'),
   (r'^server/session/context/README.md$',r'`context\.hpp`','`session_context.*`')]),
 ('Call what a child is started with LaunchConfig',[('surroundings.hpp','launch_config.hpp'),('surroundings.cpp','launch_config.cpp')],
  [W('Surroundings','LaunchConfig',SRV),W('surroundings_','launch_config_',SRV),W('surroundings','launch_config',SES)]),
 ('Call the threads for blocking work BlockingPool',[('errands_test.cpp','blocking_pool_test.cpp'),('errands.hpp','blocking_pool.hpp'),('errands.cpp','blocking_pool.cpp')],
  [(SRV,r'\bErrands of one thread\b','Tasks of one thread'),(SRV,r'thread of the errands','thread of the pool'),W('ErrandsTest','BlockingPoolTest'),W('Errands','BlockingPool'),W('errand_threads','blocking_threads',SRV),W('another_errand_is_done','another_task_is_done',SRV),
   (r'^server/session/routing/session_manager.cpp$',r'auto\* errands : \{([^}]*)\}\) errands->',r'auto* pool : {\1}) pool->'),
   (SRV,r'\boptions(_?)\.errands\b',r'options\1.blocking_pool'),(SRV,r'\bplain\.errands\b','plain.blocking_pool'),(SRV,r'\bsessions\.errands\b','sessions.blocking_pool'),
   (SRV,r'(?<=Options )errands\b','blocking_pool'),(r'loop/blocking_pool_test',r'\berrands_\b','pool_'),
   W('errands_','blocking_pool_',SRV),W('Errand','Task',SRV),
   (r'README.md$|loop/README.md$',r'`errands`','`blocking_pool`'),(r'README.md$',r'errands\.cpp','blocking_pool.cpp'),
   (r'\.(md|hpp|cpp)$',r'\b([Aa])n errand\b',r'\1 task'),W('errand','task',SRV),W('errands','tasks',SRV)]),
 ('Call what holds a child back Backpressure, its rule Pacer',[('brake_test.cpp','backpressure_test.cpp'),('brake.hpp','backpressure.hpp')],
  [W('BrakeTest','BackpressureTest'),W('Brake','Backpressure'),W('brake_','backpressure_',SRV),W('brake','backpressure',SES),(SES+r'.*\.(hpp|cpp)$',r'\bPace\b','Pacer'),(r'^server/README.md$',r'\bPace\b','Pacer'),W('pace_','pacer_',SES)]),
 ('Call the list of sessions SessionRegistry',[('census_test.cpp','session_registry_test.cpp'),('census.hpp','session_registry.hpp'),('census.cpp','session_registry.cpp')],
  [W('CensusTest','SessionRegistryTest'),W('Census','SessionRegistry'),W('census_','registry_',SRV),W('census','session_registry',SRV)]),
 ('Call a session as values SessionInfo',[('portrait.hpp','session_info.hpp'),('portrait.cpp','session_info.cpp')],
  [W('Portrait','SessionInfo'),W('portrait','session_info',SRV)]),
 ('Call where a child stands ChildState',[],
  [W('Life','ChildState',SRV),(SES,r'\blife\(\)','state()'),(r'^server/session/child/child\.(hpp|cpp)$',r'\blife_\b','state_'),
   (r'^server/session/child/child\.hpp$',r'where it stands in life','its state'),(r'session\.hpp$',r'Life of the child','The child'),(r'session\.hpp$',r'ChildState of the child','The child')]),
 ('Call what is called when a viewer leaves DisconnectCallbacks',[('departures_test.cpp','disconnect_callbacks_test.cpp'),('departures.hpp','disconnect_callbacks.hpp'),('departures.cpp','disconnect_callbacks.cpp')],
  [W('DeparturesTest','DisconnectCallbacksTest'),(SRV,r'\bDepartures::Told\b','DisconnectCallbacks::Callback'),(r'context/disconnect_callbacks\.',r'\bTold\b','Callback'),
   W('Departures','DisconnectCallbacks'),W('departures_','disconnect_callbacks_',SRV),W('departures','disconnect_callbacks',SRV)]),
 ('Count acknowledgements in an AckTracker',[('ledger_test.cpp','ack_tracker_test.cpp'),('ledger.hpp','ack_tracker.hpp'),('ledger.cpp','ack_tracker.cpp')],
  [(SRV,r'\bthe ledger\b','the tracker'),W('LedgerTest','AckTrackerTest'),W('Ledger','AckTracker'),W('ledger_','ack_tracker_',SRV),W('ledger','ack_tracker',SRV),
   (SRV+r'|^protocol/|^tests/unit/protocol/',r'\bProof proof\b','AckKind ack_kind'),(SRV+r'|^protocol/|^tests/unit/protocol/',r'(?<=[\.>])proof\b(?=\s*[=,;})])','ack_kind'),
   (NET,r', proof\)',', ack_kind)'),(NET,r'\(proof\)','(ack_kind)'),(NET,r'\bproof == Proof::','ack_kind == Proof::'),(NET,r'== proof\)','== ack_kind)'),(r'websocket/ack_tracker.hpp',r'`proof`','`ack_kind`'),
   W('Proof','AckKind'),W('Unproved','InFlight',SES),W('unproved','in_flight',SES)]),
 ('Call the subscriptions of a peer PeerSubscriptions',[('websocket/hearing_test.cpp','websocket/peer_subscriptions_test.cpp'),('hearing.hpp','peer_subscriptions.hpp'),('hearing.cpp','peer_subscriptions.cpp')],
  [W('HearingTest','PeerSubscriptionsTest',NET),W('Hearing','PeerSubscriptions',NET),W('hearing_','subscriptions_',NET),(r'net/README.md$',r'`hearing`','`peer_subscriptions`'),
   (SRV,r'\bFeed\b','SubscriptionHandle'),(NET,r'(?<=SubscriptionHandle& )feed\b','handle'),(NET,r'(?<=SubscriptionHandle )feed\b','handle'),
   (r'websocket/(peer|peer_subscriptions)\.(cpp|hpp)$',r'\bhear\(feed\)','hear(handle)'),(r'websocket/(peer|peer_subscriptions)\.(cpp|hpp)$',r'\.add\(feed\)','.add(handle)'),
   (r'websocket/peer_subscriptions\.(cpp|hpp)$',r'\bfeed\b','handle'),(r'websocket/peer_subscriptions\.(cpp|hpp)$',r'\bfeeds\b','handles'),
   (r'websocket/peer\.cpp$',r'\bfeed\b(?=\.(id|key|taken|cancel|passed|returned))','handle'),
   (r'session/session_viewers\.cpp$',r'\bfeed = Sub','handle = Sub'),(r'session/session_viewers\.cpp$',r'on_subscribed\(feed\)','on_subscribed(handle)'),
   (r'delivery/viewer\.hpp$',r"viewers' feeds","viewers' handles"),(r'tests/(unit|support)/server/',r'(?<=[\.>])feeds\b','handles'),(r'tests/(unit|support)/server/',r'\bfeed_\b','handle_'),
   (r'tests/(unit|support)/server/',r'(?<=SubscriptionHandle& )feed\b','handle'),(r'tests/(unit|support)/server/',r'(?<=SubscriptionHandle> )feeds\b','handles'),(r'^tests/(unit|support)/server/(session|net)',r'\bfeeds\b(?! a| one)','handles'),(SRV,r'(?<=auto& )feed(?= :)','handle'),(SRV,r'\bfeed(?=\.(id|cancel|taken|passed_over|returned|key|reply_arrived)\()','handle'),(SRV,r'push_back\(feed\)','push_back(handle)'),(SRV,r'(?<=SubscriptionHandle& )feed\b','handle')]),
 ('Call the shared text of an event EncodedEvent, and news broadcasts',[('news_gathering.hpp','broadcast_batcher.hpp'),('peer_news_test.cpp','peer_broadcasts_test.cpp')],
  [(r'md$',r'\(a `Publication`','(an `EncodedEvent`'),W('Publication','EncodedEvent'),W('make_publication','encode_event',SRV),W('publication','encoded',SRV),W('FakePublisher','FakePublisher'),
   W('NewsGathering','BroadcastBatcher'),W('news_gathering','broadcast_batcher'),W('PeerNewsTest','PeerBroadcastsTest'),W('make_news','make_broadcast',SRV),W('take_news','take_broadcast',SRV),
   W('news_bytes_','broadcast_bytes_',SRV),W('news_bytes','broadcast_bytes',SRV),W('news_','broadcasts_',SRV),W('kMaxNewsBytes','kMaxBroadcastBytes',SRV),W('kMaxNews','kMaxBroadcasts',SRV),
   (SRV,r'\bnews\(\)','broadcasts()'),(SRV,r'\.news\b(?=[,;)(])','.broadcasts'),(SRV,r'\bnews(?=\.push_back|;|\()','broadcasts'),(SES,r'(?<=Shared )news\b','broadcast'),(SES,r'source_\.news\(','source_.broadcast('),(SES,r'::news\(','::broadcast(')]),
 ('Call what a Command is to the server CommandTraits',[('road_test.cpp','command_traits_test.cpp'),('road.hpp','command_traits.hpp'),('road.cpp','command_traits.cpp')],
  [W('RoadOf','TraitsOf'),W('ProgramRoad','ProgramTraits'),W('Road','CommandTraits'),(SRV,r'\bWay::','Dispatch::'),(SRV,r'\bWay (way|kWay)\b',r'Dispatch \1'),(SRV,r'enum class Way\b','enum class Dispatch'),(SRV,r'<Way kWay','<Dispatch kWay'),
   (r'^server/policy/|call_queue|^server/session|^server/net|^tests/unit/server',r'\bWay way\b','Dispatch dispatch'),(r'^server/policy/',r'\bkWay\b','kDispatch'),(r'^server/|^tests/unit/server',r'(?<=CommandTraits<Asked>::)way\b','dispatch'),
   (r'^server/policy/command_traits',r'\bway\b(?= = kDispatch)','dispatch'),(r'^server/policy/command_traits',r'(?<=: )way(?=;)','dispatch'),(r'call_queue\.cpp$',r'const auto way = ','const auto dispatch = '),(SRV,r'\bWay\b','Dispatch'),(SRV,r'\bway_of\b','dispatch_of'),(r'call_queue\.cpp$',r'\bway\b(?= ==)','dispatch'),(r'call_queue\.cpp$',r'Dispatch way','Dispatch dispatch'),
   (SRV,r'Dispatch way\b','Dispatch dispatch'),(r'^server/(README|policy/README).md',r'\bRoad\b','CommandTraits'),(r'md$',r'policy/road\.hpp','policy/command_traits.hpp'),(r'scripts/',r'policy/road\.hpp','policy/command_traits.hpp'),(r'policy/README.md',r'`road','`command_traits'),(r'protocol/README.md',r'\(access, way\)','(access, dispatch)')]),
 ("Call an agent's program in its session AgentTerminal",[('program_run.hpp','agent_terminal.hpp'),('program_run.cpp','agent_terminal.cpp')],
  [W('ProgramRun','AgentTerminal'),W('program_run','agent_terminal'),(r'agent/agent_terminal\.',r'\bKeepers\b','Owners'),(r'agent/agent_terminal\.',r'\bKeeper\b','Owner'),(r'agent/agent_terminal\.',r'\bkeepers_\b','owners_'),(r'agent/agent_terminal\.',r'\bkeeper\b','owner'),
   (r'^server/README.md$',r'AgentTerminal, keeper','AgentTerminal, owner')]),
 ('Divide told into serialize and report',[],
  [(r'scripts/support/arrows.py',r'"pty/screen/told/", "pty/shell/"','"pty/screen/serialize/",\n       "pty/screen/report/", "pty/shell/"'),
   (r'scripts/support/arrows.py',r'    "pty/screen/told/": dict\(rooms=\["pty/text/", "pty/screen/grid/"\],\n\s*only=(GROUND \+ \[[^\]]*\])\),',
    r'''    "pty/screen/serialize/": dict(rooms=["pty/text/", "pty/screen/grid/"], only=OUTPUTS),
    "pty/screen/report/": dict(rooms=["pty/text/", "pty/screen/grid/", "pty/screen/serialize/"], only=OUTPUTS),'''),
   (r'scripts/support/arrows.py',r'(?<=\n)PTY = \[',r'''# Parts of a Screen that its outputs may see.
OUTPUTS = GROUND + ["pty/screen/screen.hpp", "pty/screen/mode_rows.hpp", "pty/screen/palette.hpp"]
PTY = ['''),
   (r'tests/CMakeLists.txt',r'\btold/queries_test','report/queries_test'),
   (r'pty/screen/README.md',r'(?m)^\| `told/` \|.*$','''| `serialize/` | values that show or recreate a Screen (`snapshot`, `*_text`, `*_writer`, `mode_preamble`, `sgr`), and looks that are left out where they are too long (`detail`) |
| `report/` | answers to programs (`query`, `queries`, `query_strings`, `checksum`) |'''),
   (r'pty/screen/README.md',r'`screen` makes one of them. `told/` sees\n`screen`, and no other part sees `told/`.','`screen` makes one of them. `report/`\nsees `serialize/`, both see `screen`, and no other part sees them.')]),
 ('Call what cells name StyleTable, lines counted ScrollbackCounter',[('grid/looks.hpp','grid/style_table.hpp'),('grid/looks.cpp','grid/style_table.cpp'),('line_tally_test.cpp','scrollback_counter_test.cpp'),('line_tally.hpp','scrollback_counter.hpp'),('line_tally.cpp','scrollback_counter.cpp'),('kept_run.hpp','journal_writer.hpp')],
  [W('Looks','StyleTable',r'^(pty/screen|tests/unit/pty/screen)/.*\.(hpp|cpp)$'),(r'^pty/screen/grid/',r'\blooks_\b','styles_'),(r'^pty/screen/grid/',r'\blooks\(\)','styles()'),(r'^pty/screen/grid/scrollback\.',r'\blooks\b(?=[\.\)])','styles'),
   (r'^pty/screen/README.md',r'`looks`','`style_table`'),(r'^pty/screen/grid/\w+\.(hpp|cpp)$',r'/// StyleTable (names up|up)',r'/// Looks \1'),
   (r'native_pens\.hpp$',r'/// StyleTable names','/// Looks names'),
   W('LineTally','ScrollbackCounter'),W('line_tally','scrollback_counter'),(SES,r'\btally_\b','scrollback_counter_'),(SES,r'\btally\b(?=[\.,;)])','counter'),(SES,r'(?<=ScrollbackCounter& )tally\b','counter'),
   W('KeptRun','JournalWriter'),W('kept_run','journal_writer'),(r'recording/recorder',r'\brun_\b','writer_')]),
 ('Name structs of callbacks and what came of a reply',[],
  [(r'server/net/socket/listener\.',r'\bTold told\b','Callbacks callbacks'),(r'server/net/socket/listener\.',r'\bTold\b','Callbacks'),(r'server/net/socket/listener\.',r'\btold_\b','callbacks_'),(r'server/net/socket/listener\.cpp',r'std::move\(told\)','std::move(callbacks)'),
   (r'server/net/websocket/calls\.',r'\bTold told\b','Callbacks callbacks'),(r'server/net/websocket/calls\.',r'\bTold\b','Callbacks'),(r'server/net/websocket/calls\.',r'\btold_\b','callbacks_'),(r'server/net/websocket/calls\.cpp',r'std::move\(told\)','std::move(callbacks)'),
   (r'server/net/websocket/',r'\bMade\b','ReplyOutcome'),(r'server/net/websocket/',r'\bDue\b','PendingReply'),
   (r'context/session_context\.',r'\bTold told\b','Callbacks callbacks'),(r'context/session_context\.',r'\bTold\b','Callbacks'),(r'context/session_context\.',r'\btold_\b','callbacks_'),(r'context/session_context\.',r'std::move\(told\)','std::move(callbacks)'),
   (r'loop/blocking_pool\.',r'\bTold told\b','Done done'),(r'loop/blocking_pool\.',r'\bTold\b','Done'),(r'loop/blocking_pool\.cpp',r'std::move\(told\)','std::move(done)')]),
]
REPORT='checksum queries query query_strings'.split()
def sh(*a): return subprocess.run(a,check=True,capture_output=True,text=True).stdout
def files(): return [f for f in sh('git','ls-files','-z').split('\0') if f and not f.startswith(('web/','tests/e2e','tests/screens/cases','tests/screens/vttest','tests/fuzz/corpus')) and f.endswith(('.hpp','.cpp','.md','.txt','.py','.sh','.cmake'))]
def told_move():
    mv={}
    for base in ('pty/screen','tests/unit/pty/screen','tests/support/pty/screen'):
        d=base+'/told'
        if not os.path.isdir(d): continue
        for f in sorted(os.listdir(d)):
            stem=re.sub(r'(_test)?\.(hpp|cpp|md)$','',f)
            room='report' if stem in REPORT else 'serialize'
            mv[f'{d}/{f}']=f'{base}/{room}/{f}'
    return mv
only=set(sys.argv[2:])
for n,(subject,names,subs) in enumerate(ROWS):
    if only and str(n) not in only: continue
    moved={}
    if subject.startswith('Divide told'): moved=told_move()
    else:
        for f in files():
            for a,b in names:
                if f=='' or not (f.endswith('/'+a)): continue
                if a in ('hearing.hpp','hearing.cpp') and 'net/' not in f: continue
                moved[f]=f[:-len(a)]+b; break
    for a,b in moved.items():
        os.makedirs(os.path.dirname(b),exist_ok=True); sh('git','mv',a,b)
    touched=[]
    for f in files():
        try: s=open(f).read()
        except UnicodeDecodeError: continue
        t=re.sub(r'#include "([^"]+)"',lambda m:f'#include "{moved.get(m.group(1),m.group(1))}"',s) if f.endswith(('.hpp','.cpp')) else s
        if f.endswith('CMakeLists.txt') or f.endswith('.py') or f.endswith('.md'):
            for a,b in moved.items():
                t=t.replace(a,b)
                ra,rb=a.split('/',1)[1],b.split('/',1)[1]
                if f.startswith(a.split('/',1)[0]+'/'): t=t.replace(ra,rb)
        incs=[]
        def hide(m): incs.append(m.group(0)); return '\0%d\0'%(len(incs)-1)
        u=re.sub(r'#include "[^"]+"',hide,t)
        for scope,rx,rep in subs:
            if re.search(scope,f): u=re.sub(rx,rep,u)
        t=re.sub('\0(\\d+)\0',lambda m:incs[int(m.group(1))],u)
        if t!=s: open(f,'w').write(t); touched.append(f)
    cc=[f for f in touched if f.endswith(('.hpp','.cpp'))]
    if cc: sh('clang-format','-i',*cc)
    sh('git','add','-A')
    if sh('git','status','--porcelain'): sh('git','commit','-qm',subject)
    print(n,subject,len(moved),'moved',len(touched),'touched')
