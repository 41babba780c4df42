ghost module Stacks {}
