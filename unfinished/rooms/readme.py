import os,sys,re
root=sys.argv[1]
for f in os.listdir('unfinished/rooms/readme'):
    open(f'{root}/server/session/{f[:-3]}/README.md','w').write(open('unfinished/rooms/readme/'+f).read())
p=root+'/server/session/README.md'
s=open(p).read()
a=s.index('| file | is |'); b=s.index('## Invariants')
own={}
for line in s[a:b].split('\n'):
    own[line]=1
table='''| room | holds |
|---|---|
| [recording](recording/README.md) | pty → journal and Screen; transcripts, and parked Screens |
| [child](child/README.md) | the running program, and its input |
| [delivery](delivery/README.md) | cursors, pace, and the seam to `net` |
| [context](context/README.md) | facts and callbacks that a session is given; callers and their answers |
| [agent](agent/README.md) | programs of agents |
| [routing](routing/README.md) | Commands on their way to a session; which sessions exist |

Each room may include those above it, and files of this folder stand between `agent` and `routing`.

| file | is |
|---|---|
| `session.*`, `session_starts.cpp`, `session_output.cpp`, `session_viewers.cpp` | one terminal: brings Child, Recorder and Audience together |
| `parking.*` | when a Screen is parked, and the Commands that wait until it is back |
| `portrait.*` | the session as values: snapshots, a row of a list, a line of the debug page |
| `typing.*` | input into the terminal, and its size |
| `command_shell.*` | how commands get into the shell of a session: what `server/execute` sees of it |

'''
s=s[:a]+table+s[b:]
open(p,'w').write(s)
