// Looks up processes of this machine by ID.

/** Returns whether a process with this ID is running, under any user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
