import os,sys
os.chdir(sys.argv[1])
P='scripts/check_layers.py'
s=open(P).read()
a=s.index('GROUND = ['); b=s.index('SOURCES = ("pty/"')
data=s[a:b].rstrip()+'\n'
open('scripts/support/arrows.py','w').write('"""The rooms of the house and what each may include, for scripts/check_layers.py."""\n\n'+data)
s=s[:a]+s[b:]
s=s.replace('from xml.sax.saxutils import quoteattr\n','from xml.sax.saxutils import quoteattr\n\nsys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))\nfrom arrows import ARROWS  # noqa: E402\n',1)
s=s.replace('Rooms and their allowed includes are in ARROWS; everything','Rooms and their allowed includes are in support/arrows.py; everything')
open(P,'w').write(s)
