import sys,re
p=sys.argv[1]+'/server/README.md'
s=open(p).read()
i=s.index('| word | means |')
j=i
while s[j:j+1]=='|':
    j=s.index('\n',j)+1 if '\n' in s[j:] else len(s)
table='''| word | means |
|---|---|
| Session, thread | one terminal and its state; what `threadId` names: terminals that belong together. A thread of the machine is called so |
| Child, LaunchConfig | what runs in a session, launch after launch; what it is started with |
| Recorder | takes a child's output to Scanner, Screen and Journal |
| Journal, Position, Mark | what was printed; a place in it; what happened there |
| Cursor | a position that a reader has reached. The text cursor is the *caret* |
| Screen, Emulator, Grid, Pen | the present; what obeys sequences; the cells; a cell's look |
| Snapshot, preamble, repaint | a value that recreates a Screen for a client; its modes alone; its visible part, over what stands there |
| Checkpoint, parking | the bytes of an unused Screen, from which it is made again; putting a Screen away like that |
| Query | what a program asks its terminal; the server types the answer, once |
| Command, Reply, Event | asked; answered once; told to viewers. A Command's row is its CommandTraits: access, answer, and the way to its session |
| Caller | the source of a Command, which is answered once |
| Language, Dialect, Method | a row: places, recognition of its frames, proof of receipt; its state on one connection; a row of its calls |
| Agent, delegate | a client that runs programs by ACP; an agent's client that asks in its place |
| AgentTerminal, owner | an agent's program in a terminal of its own, until its release; a connection that asked for it and is still there |
| Connection, Transport, Peer | a socket; what a Peer needs of it; the speaker of languages on it |
| Viewer, Subscription, Audience | a reader of sessions; its cursor and credit in one session; all Subscriptions of a session |
| Barrier | a reply's place in the output |
| Credit, Pacer, Backpressure | bytes that may be under way; the rule of when a child waits; what holds it |
| Router, Directory | a loop's view of where sessions live; the whole, on loop 0, with the order within a thread |
'''
s=s[:i]+table+s[j:]
open(p,'w').write(s)
