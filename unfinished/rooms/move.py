"""move.py ROOT: moves the units of server/session into rooms, tests and support with them, and mends includes."""
import os,re,subprocess,sys
sys.path.insert(0,os.path.dirname(os.path.abspath(__file__)))
from map import ROOMS,TESTS,SUPPORT
os.chdir(sys.argv[1])
def git(*a): subprocess.run(['git',*a],check=True)
moved={}
def mv(a,b):
    if not os.path.exists(a): return
    os.makedirs(os.path.dirname(b),exist_ok=True); git('mv',a,b); moved[a]=b
for room,units in ROOMS.items():
    if not room: continue
    for u in units:
        for ext in ('hpp','cpp'): mv(f'server/session/{u}.{ext}',f'server/session/{room}/{u}.{ext}')
for room,tests in TESTS.items():
    for t in tests: mv(f'tests/unit/server/session/{t}_test.cpp',f'tests/unit/server/session/{room}/{t}_test.cpp')
for room,files in SUPPORT.items():
    for f in files: mv(f'tests/support/server/session/{f}',f'tests/support/server/session/{room}/{f}')
files=subprocess.run(['git','ls-files','-z','*.cpp','*.hpp'],capture_output=True,text=True).stdout.split('\0')
touched=[]
for f in files:
    if not f: continue
    s=open(f).read()
    n=re.sub(r'#include "([^"]+)"',lambda m:f'#include "{moved.get(m.group(1),m.group(1))}"',s)
    if n!=s: open(f,'w').write(n); touched.append(f)
if touched: subprocess.run(['clang-format','-i',*touched],check=True)
def sub(p,pairs):
    s=open(p).read()
    for a,b in pairs:
        assert a in s,(p,a)
        s=s.replace(a,b,1)
    open(p,'w').write(s)
sub('server/CMakeLists.txt',[('SOURCES session/*.cpp','SOURCES session/*.cpp session/*/*.cpp'),('ALONE session/session_manager.cpp','ALONE session/routing/session_manager.cpp')])
P='scripts/check_layers.py'
s=open(P).read()
s=s.replace('''SESSION = ["server/session/session_manager.hpp", "server/session/session_facts.hpp", "server/session/caller.hpp",
           "server/session/viewer.hpp"]''','''SESSION = ["server/session/routing/session_manager.hpp", "server/session/context/session_facts.hpp",
           "server/session/context/caller.hpp", "server/session/delivery/viewer.hpp"]
# Rooms of a session; each may see those before it.
S = "server/session/"
SESSION_ROOMS = [S + "recording/", S + "child/", S + "delivery/", S + "context/", S + "agent/", S, S + "routing/"]
# Includes of all of them.
OF_SESSIONS = dict(rooms=PTY + ["server/loop/", "server/execute/"],
                   only=GROUND + ["protocol/messages.hpp", "protocol/execute_messages.hpp", "protocol/output.hpp",
                                  "server/policy/access.hpp", "server/policy/road.hpp"])


def session_arrows(room):
    before = SESSION_ROOMS[:SESSION_ROOMS.index(room)]
    return dict(rooms=OF_SESSIONS["rooms"] + before, only=OF_SESSIONS["only"])

''')
s=s.replace('''    "server/session/": dict(rooms=PTY + ["server/loop/", "server/execute/"],
                            only=GROUND + ["protocol/messages.hpp", "protocol/execute_messages.hpp", "protocol/output.hpp",
                                           "server/policy/access.hpp", "server/policy/road.hpp"]),
''','''    **{room: session_arrows(room) for room in SESSION_ROOMS if room != S},
    S: session_arrows(S),
''')
s=s.replace('"server/session/session_facts.hpp", "pty/screen/screen.hpp"','"server/session/context/session_facts.hpp", "pty/screen/screen.hpp"')
s=s.replace('''"server/execute", "server/session", "server/net", "web",''','''"server/execute", "server/session",
                     "server/session/recording", "server/session/child", "server/session/delivery",
                     "server/session/context", "server/session/agent", "server/session/routing", "server/net", "web",''')
s=s.replace('''        ("server/session/x.cpp", '#include "pty/screen/native/native.hpp"\\n', 1),
''','''        ("server/session/x.cpp", '#include "pty/screen/native/native.hpp"\\n', 1),
        ("server/session/delivery/x.cpp", '#include "server/session/recording/mark_payload.hpp"\\n', 0),
        ("server/session/recording/x.cpp", '#include "server/session/delivery/viewer.hpp"\\n', 1),
        ("server/session/x.cpp", '#include "server/session/routing/router.hpp"\\n', 1),
''')
open(P,'w').write(s)
print(len(moved),'moved',len(touched),'touched')
