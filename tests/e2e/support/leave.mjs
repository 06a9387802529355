// A file whose tests are over ends, also when one that failed has left a socket or a timer behind: the runner would wait
// for it until the limit of the whole file. A timer that keeps nothing alive only comes to fire where something else does.
import { after } from 'node:test';

const LEAVE_AFTER_MS = 5000;

after(() => setTimeout(() => process.exit(), LEAVE_AFTER_MS).unref());
