export function types(): Promise<string>;
export function writtenTypes(): string;
